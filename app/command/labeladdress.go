package command

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"strings"

	"lapsvm/app/labelpage/store"
	"lapsvm/internal/system/atomicfile"
)

// anyAddress is where a page is served that was never served before.
const anyAddress = "127.0.0.1:0"

// pageAddress is where the page of a store is served, and the token that lets people in. It is kept beside the
// store, so that a page which is open still is answered when the program is started again.
type pageAddress struct {
	at    string // host and port
	token string
}

func (a pageAddress) String() string { return fmt.Sprintf("http://%s/?token=%s", a.at, a.token) }

// addressFile returns the file that the address of a store's page is kept in.
func addressFile(s *store.Store) string {
	path, err := atomicfile.Target(s.Path())
	if err != nil {
		path = s.Path()
	}
	return path + "-page"
}

// tokens are those that rand.Text makes.
var tokens = regexp.MustCompile(`^[A-Z2-7]{26,}$`)

// readAddress returns the address that a file has, empty for none. A file that others can read has none: they may
// know the token.
func readAddress(file string) pageAddress {
	const most = 1 << 10
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return pageAddress{}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return pageAddress{}
	}
	u, err := url.Parse(strings.TrimSpace(string(text)))
	if err != nil || u.Scheme != "http" || u.Port() == "" || !tokens.MatchString(u.Query().Get("token")) {
		return pageAddress{}
	}
	return pageAddress{u.Host, u.Query().Get("token")}
}

// listen opens the address of the page of a store: the one that was asked for, or else that of the last time.
// Its token is that of the last time if the address is. Another address has another token: at the old one
// something else may listen, which a page that is open still tells its token.
func (p *Program) listen(ctx context.Context, s *store.Store, r *labelRequest) (net.Listener, pageAddress, error) {
	file := addressFile(s)
	last := readAddress(file)
	var l net.Listener
	err := error(nil)
	host, port, _ := net.SplitHostPort(last.at)
	if r.address == "" && net.ParseIP(host).IsLoopback() {
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", last.at); err != nil {
			p.warnings(&r.output).Warn(fmt.Sprintf("another program has port %s, where the page was before, so the page is on another. What an open page has not sent stays in its browser: to have it sent, end that program and start again with --address %s", port, last.at))
		}
	}
	if l == nil {
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", cmp.Or(r.address, anyAddress)); err != nil {
			return nil, last, fmt.Errorf("cannot serve on %s: %w: choose another with --address, or port 0 for any free one", cmp.Or(r.address, anyAddress), err)
		}
	}
	if at := l.Addr().String(); at != last.at {
		last = pageAddress{at, rand.Text()}
		if err := atomicfile.WritePrivate(file, func(w io.Writer) error { _, err := fmt.Fprintln(w, last); return err }); err != nil {
			p.warnings(&r.output).Warn(fmt.Sprintf("%v. Started again, the page has another address", err))
		}
	}
	return l, last, nil
}
