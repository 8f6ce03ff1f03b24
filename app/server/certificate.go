package server

import (
	"crypto/tls"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"sync/atomic"

	"lapsvm/internal/system/regular"
)

// Certificate is the certificate and key for TLS, from two PEM files. Changed files are read
// again.
type Certificate struct {
	paths [2]string
	infos [2]fs.FileInfo // of the files as they were last looked at
	err   error          // of these
	pair  atomic.Pointer[tls.Certificate]
}

// ReadCertificate reads the files of a certificate and of its key. It fails where they
// cannot be read or do not belong together.
func ReadCertificate(certificate, key string) (*Certificate, error) {
	c := &Certificate{paths: [2]string{certificate, key}}
	_, err := c.renew()
	return c, err
}

// renew reads the files again where one of them changed, and reports whether it did. Where
// they do not belong together, as while they are being replaced, the pair before stays.
func (c *Certificate) renew() (changed bool, err error) {
	for k, path := range c.paths {
		info, err := os.Stat(path)
		if err == nil && c.pair.Load() != nil && !info.Mode().IsRegular() {
			err = fs.ErrInvalid // a pipe is read once
		}
		if err != nil {
			c.infos[k], changed = nil, true
		} else if !same(c.infos[k], info) {
			c.infos[k], changed = info, true
		}
	}
	if !changed {
		return false, c.err
	}
	pair, err := c.load()
	if c.err = err; err != nil {
		c.err = fmt.Errorf("%s and %s are no certificate and its key: %w", c.paths[0], c.paths[1], err)
		return true, c.err
	}
	c.pair.Store(&pair)
	return true, nil
}

// load reads the pair. The first time the files may be pipes.
func (c *Certificate) load() (tls.Certificate, error) {
	const most = 1 << 20
	var texts [2][]byte
	for k, path := range c.paths {
		f, err := c.open(path)
		if err != nil {
			return tls.Certificate{}, err
		}
		texts[k], err = io.ReadAll(io.LimitReader(f, most))
		f.Close()
		if err != nil {
			return tls.Certificate{}, err
		}
	}
	return tls.X509KeyPair(texts[0], texts[1])
}

func (c *Certificate) open(path string) (*os.File, error) {
	if c.pair.Load() == nil {
		return os.Open(path)
	}
	f, _, err := regular.Open(path)
	return f, err
}

// listener speaks TLS on connections of l.
func (c *Certificate) listener(l net.Listener) net.Listener {
	return tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.Load(), nil }})
}
