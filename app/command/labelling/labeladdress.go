package labelling

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

	"lapsvm/app/command/cli"
	"lapsvm/app/labelpage/store"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/internal/system/fault"
)

// anyAddress is the address of a page that is served for the first time.
const anyAddress = "127.0.0.1:0"

// pageAddress is the address of the page of a store, with its token. It is kept beside the store,
// so that open pages still work after the program has been restarted.
type pageAddress struct {
	at    string // host and port
	token string
}

func (a pageAddress) String() string { return fmt.Sprintf("http://%s/?token=%s", a.at, a.token) }

// addressFile returns the file with the address of a store's page.
func addressFile(s *store.Store) string {
	path, err := atomicfile.Target(s.Path())
	if err != nil {
		path = s.Path()
	}
	return path + "-page"
}

// tokens matches the tokens made by rand.Text.
var tokens = regexp.MustCompile(`^[A-Z2-7]{26,}$`)

// readAddress returns the address in a file, empty for none. A file that other users can read
// counts as empty, because they may know the token.
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

// listen opens the address of the page of a store: the requested one, or else the last one. The
// token stays the same where the address does. A new address gets a new token: another program may
// listen at the old address, and pages that are still open send it the old token.
func listen(ctx context.Context, p *cli.Program, s *store.Store, r *labelRequest) (net.Listener, pageAddress, error) {
	file := addressFile(s)
	last := readAddress(file)
	var l net.Listener
	err := error(nil)
	host, port, _ := net.SplitHostPort(last.at)
	if r.address == "" && net.ParseIP(host).IsLoopback() {
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", last.at); err != nil {
			p.Warnings(&r.output).Warn(fmt.Sprintf("another program has port %s, where the page was before, so the page has another port now. An open page keeps labels that it has not sent in its browser: to send them, end that program and start again with --address %s", port, last.at))
		}
	}
	if l == nil {
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", cmp.Or(r.address, anyAddress)); err != nil {
			return nil, last, fault.Errorf("cannot serve on %s: %w: choose another with --address, or port 0 for any free one", cmp.Or(r.address, anyAddress), err)
		}
	}
	if at := l.Addr().String(); at != last.at {
		last = pageAddress{at, rand.Text()}
		if err := atomicfile.WritePrivate(file, func(w io.Writer) error { _, err := fmt.Fprintln(w, last); return err }); err != nil {
			p.Warnings(&r.output).Warn(fmt.Sprintf("%v. Started again, the page has another address", err))
		}
	}
	return l, last, nil
}
