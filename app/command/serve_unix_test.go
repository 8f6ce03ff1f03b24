//go:build unix

package command

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lapsvm/app/command/cli"
	"lapsvm/internal/testing/detector"
	"lapsvm/internal/testing/golden"
)

// serving is a lapsvm serve that runs.
type serving struct {
	process *exec.Cmd
	url     string
	lines   *bufio.Reader // the rest of standard error
	client  *http.Client
}

// startServing starts lapsvm serve and waits until it is ready.
func startServing(t *testing.T, args ...string) *serving {
	t.Helper()
	s := &serving{process: exec.Command("lapsvm", append([]string{"serve", "--address", "127.0.0.1:0"}, args...)...), client: http.DefaultClient}
	stderr, err := s.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.process.Process.Kill() })
	s.lines = bufio.NewReader(stderr)
	line := s.until(t, "serving on ")
	s.url = strings.TrimSpace(strings.TrimPrefix(line, "serving on "))
	return s
}

// until reads standard error up to a line that has a text.
func (s *serving) until(t *testing.T, text string) string {
	t.Helper()
	said := ""
	for {
		line, err := s.lines.ReadString('\n')
		if strings.Contains(line, text) {
			return line
		}
		if said += line; err != nil {
			t.Fatalf("no %q in %s", text, said)
		}
	}
}

// post sends a body and returns the status and the answer.
func (s *serving) post(t *testing.T, path string, body []byte, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; k+1 < len(headers); k += 2 {
		r.Header.Set(headers[k], headers[k+1])
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// end ends the program by SIGTERM, which is an end without an error.
func (s *serving) end(t *testing.T) {
	t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, s.lines); err != nil {
		t.Error(err)
	}
	if err := s.process.Wait(); err != nil {
		t.Errorf("ended by %v", err)
	}
}

// trainOn trains a model on a table.
func trainOn(t *testing.T, table, model string, flags ...string) {
	t.Helper()
	if code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"train", table, "-o", model, "--quiet", "--gamma-a", "0.01", "--gamma-i", "0.01"}, flags...)...); code != cli.ExitDone {
		t.Fatal(stderr)
	}
}

// The command serves a folder: its answers are what predict prints, a new file comes in at
// SIGHUP, and SIGTERM ends it.
func TestServe(t *testing.T) {
	folder := t.TempDir()
	points := file(t, folder, "points.csv", "x,y,label\n1,2,a\n2,3,\n3,4,b\n4,5,\n5,6,\n9,1,\n")
	models := filepath.Join(folder, "models")
	if err := os.Mkdir(models, 0o777); err != nil {
		t.Fatal(err)
	}
	trainOn(t, points, filepath.Join(models, "m.lapsvm"), "--neighbours", "2", "--sigma", "2")
	s := startServing(t, models, "--reload", "0s")
	rows, err := os.ReadFile(points)
	if err != nil {
		t.Fatal(err)
	}
	code, want, stderr := lapsvmRun(t, t.Context(), "", "predict", filepath.Join(models, "m.lapsvm"), points, "--scores", "--proba", "--quiet")
	if code != cli.ExitDone {
		t.Fatal(stderr)
	}
	if status, got := s.post(t, "/v2/models/m/predict?scores=1&proba=1", rows, "Content-Type", "text/csv", "Accept", "text/csv"); status != http.StatusOK || got != want {
		t.Errorf("%d %s\nwant %s", status, got, want)
	}
	trainOn(t, points, filepath.Join(models, "n.lapsvm"), "--neighbours", "3", "--sigma", "2")
	if err := s.process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.until(t, `"model":"n"`)
	for status := 0; status != http.StatusOK; { // it is logged before it is served
		status, _ = s.post(t, "/v2/models/n/predict", rows, "Content-Type", "text/csv")
	}
	s.end(t)
}

// With a certificate the command speaks TLS, and with a token it asks for it.
func TestServeGuarded(t *testing.T) {
	folder := t.TempDir()
	points := file(t, folder, "points.csv", "x,y,label\n1,2,a\n2,3,\n3,4,b\n4,5,\n5,6,\n9,1,\n")
	model := filepath.Join(folder, "m.lapsvm")
	trainOn(t, points, model, "--neighbours", "2", "--sigma", "2")
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	s := startServing(t, model, "--token-file", file(t, folder, "token", "0123456789abcdef\n"),
		"--tls-cert", file(t, folder, "cert.pem", string(certificate)), "--tls-key", file(t, folder, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))))
	if !strings.HasPrefix(s.url, "https://") {
		t.Error(s.url)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(certificate)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	defer transport.CloseIdleConnections()
	s.client = &http.Client{Transport: transport}
	if status, text := s.post(t, "/v2/models/m/predict", []byte("x,y\n1,2\n"), "Content-Type", "text/csv"); status != http.StatusUnauthorized {
		t.Error(status, text)
	}
	if status, text := s.post(t, "/v2/models/m/predict", []byte("x,y\n1,2\n"), "Content-Type", "text/csv", "Authorization", "Bearer 0123456789abcdef"); status != http.StatusOK || !strings.Contains(text, `"labels":["a"]`) {
		t.Error(status, text)
	}
	s.end(t)
}

// On real sets every answer is what predict prints, as CSV and as Parquet.
func TestServedRealSets(t *testing.T) {
	detector.Spare(t)
	folder := t.TempDir()
	for name, c := range map[string]struct {
		data  string
		flags []string
	}{
		"g50c":  {golden.External(t, "data/g50c/g50c.svm.gz"), []string{"--sigma", "17.5", "--neighbours", "50"}},
		"uspst": {golden.External(t, "data/uspst/uspst.svm.gz"), []string{"--sigma", "9.4", "--neighbours", "10"}},
		"mnist": {golden.External(t, "data/mnist/t10k-images-idx3-ubyte.gz"), []string{"--select", "3,8", "--kernel", "poly", "--degree", "9", "--standardise", "unit-norm", "--neighbours", "20"}},
	} {
		model := filepath.Join(folder, name+".lapsvm")
		trainOn(t, c.data, model, c.flags...)
		s := startServing(t, model)
		for _, format := range []struct{ ending, media string }{{"csv", "text/csv"}, {"parquet", "application/vnd.apache.parquet"}} {
			rows := filepath.Join(folder, name+"."+format.ending)
			args := append([]string{"convert", c.data, rows, "--quiet"}, c.flags[:2*strings.Count(c.flags[0], "select")]...)
			if code, _, stderr := lapsvmRun(t, t.Context(), "", args...); code != cli.ExitDone {
				t.Fatal(stderr)
			}
			code, want, stderr := lapsvmRun(t, t.Context(), "", "predict", model, rows, "--scores", "--proba", "--quiet")
			if code != cli.ExitDone {
				t.Fatal(stderr)
			}
			body, err := os.ReadFile(rows)
			if err != nil {
				t.Fatal(err)
			}
			status, got := s.post(t, fmt.Sprintf("/v2/models/%s/predict?scores=1&proba=1", name), body, "Content-Type", format.media, "Accept", "text/csv")
			if status != http.StatusOK || got != want || strings.Count(got, "\n") < 500 {
				t.Errorf("%s as %s: %d %.300s\nwant %.300s", name, format.ending, status, got, want)
			}
		}
		s.end(t)
	}
}
