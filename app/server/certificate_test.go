package server

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// selfSigned returns a certificate of this machine with a serial number, and its key, as PEM.
func selfSigned(t *testing.T, serial int64) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})
}

// A renewed certificate is shown to new connections. While only one of its files is new, or
// none is there, the certificate before stays, and the log says so once.
func TestRenewedCertificate(t *testing.T) {
	folder := t.TempDir()
	paths := [2]string{filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")}
	write := func(k int, text []byte) {
		t.Helper()
		if err := os.WriteFile(paths[k]+".new", text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(paths[k]+".new", paths[k]); err != nil {
			t.Fatal(err)
		}
	}
	first, firstKey := selfSigned(t, 1)
	second, secondKey := selfSigned(t, 2)
	write(0, first)
	if _, err := ReadCertificate(paths[0], paths[1]); err == nil || !strings.Contains(err.Error(), "key.pem") {
		t.Error(err)
	}
	write(1, firstKey)
	certificate, err := ReadCertificate(paths[0], paths[1])
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s := serve(t, theTwo(t), func(c *Config) { c.Certificate, c.Log = certificate, slog.New(slog.NewTextHandler(&log, nil)) })
	shown := func() int64 {
		t.Helper()
		c, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "http://"), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	reload := func(well bool) {
		t.Helper()
		if err := s.s.Reload(t.Context()); (err == nil) != well {
			t.Error(err)
		}
	}
	write(0, second)
	reload(false)
	reload(false)
	if n := strings.Count(log.String(), "certificate cannot be read"); shown() != 1 || n != 1 {
		t.Errorf("half a pair: certificate %d, told %d times", shown(), n)
	}
	write(1, secondKey)
	reload(true)
	if shown() != 2 {
		t.Error("the renewed certificate is not shown")
	}
	if err := os.Remove(paths[0]); err != nil {
		t.Fatal(err)
	}
	reload(false)
	if shown() != 2 {
		t.Error("a certificate that is gone is not shown any more")
	}
}
