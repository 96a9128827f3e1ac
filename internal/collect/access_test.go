package collect

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// ask sends one request as a collection does.
func ask(t *testing.T, p Plan, path string) error {
	t.Helper()
	p, root, err := p.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	client, err := p.Access.client(t.Context(), root, p.dial)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	c := &collector{plan: p, root: root, client: client}
	_, err = c.get(t.Context(), root.String()+path, 0, kind{})
	return err
}

func TestCredentials(t *testing.T) {
	for name, c := range map[string]struct {
		access Access
		header string
		want   string
	}{
		"token":  {Access{Token: "t0k"}, "Authorization", "Bearer t0k"},
		"basic":  {Access{User: "u", Password: "p"}, "Authorization", "Basic dTpw"},
		"header": {Access{Header: http.Header{"X-Scope-Orgid": {"7"}}}, "X-Scope-Orgid", "7"},
		"agent":  {Access{}, "User-Agent", "heapwright/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get(c.header) }))
			defer srv.Close()
			if err := ask(t, Plan{URL: srv.URL, Access: c.access, Tool: "v1"}, "/"); err != nil || got != c.want {
				t.Errorf("%v: got %q, want %q", err, got, c.want)
			}
		})
	}
}

// Credentials and headers are for the host that the user named.
func TestRedirects(t *testing.T) {
	var seen http.Header
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header }))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case r.URL.Path == "/near":
			http.Redirect(w, r, "/", http.StatusFound)
		default:
			seen = r.Header
		}
	}))
	defer first.Close()
	plan := Plan{URL: first.URL, Access: Access{Token: "t0k", Header: http.Header{"X-Api-Key": {"k3y"}}}}
	if err := ask(t, plan, "/near"); err != nil || seen.Get("Authorization") == "" || seen.Get("X-Api-Key") == "" {
		t.Errorf("to the same host: %v, %v", err, seen)
	}
	seen = nil
	if err := ask(t, plan, "/away"); err == nil || !strings.Contains(err.Error(), "another host") || seen != nil {
		t.Errorf("to another host: %v, %v", err, seen)
	}
	plan.Access.Redirects = true
	if err := ask(t, plan, "/away"); err != nil || seen == nil || seen.Get("Authorization") != "" || seen.Get("X-Api-Key") != "" {
		t.Errorf("to another host, allowed: %v, %v", err, seen)
	}
}

// pemFile writes a block of PEM to a file.
func pemFile(t *testing.T, name, kind string, der []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// clientCert makes a certificate that signs itself, and returns its files.
func clientCert(t *testing.T) (cert *x509.Certificate, certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return cert, pemFile(t, "cert.pem", "CERTIFICATE", der), pemFile(t, "key.pem", "EC PRIVATE KEY", keyDER)
}

func TestTLS(t *testing.T) {
	cert, certFile, keyFile := clientCert(t)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	srv.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: x509.NewCertPool()}
	srv.TLS.ClientCAs.AddCert(cert)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // half of the handshakes are meant to fail
	srv.StartTLS()
	defer srv.Close()
	ca := pemFile(t, "ca.pem", "CERTIFICATE", srv.Certificate().Raw)
	for name, c := range map[string]struct {
		access Access
		says   string // "" is that it works
	}{
		"all":           {Access{CA: ca, Cert: certFile, Key: keyFile}, ""},
		"insecure":      {Access{Insecure: true, Cert: certFile, Key: keyFile}, ""},
		"unknown CA":    {Access{Cert: certFile, Key: keyFile}, "certificate"},
		"nobody":        {Access{CA: ca}, "certificate required"},
		"no key":        {Access{CA: ca, Cert: certFile}, "-cert and -key"},
		"wrong key":     {Access{CA: ca, Cert: certFile, Key: ca}, "-cert and -key"},
		"no CA in file": {Access{CA: keyFile}, "no certificate in it"},
		"no CA file":    {Access{CA: "nowhere.pem"}, "nowhere.pem"},
	} {
		t.Run(name, func(t *testing.T) {
			err := ask(t, Plan{URL: srv.URL, Access: c.access}, "/")
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v does not say %q", err, c.says)
			}
		})
	}
}

func TestWhatIsOpenIsSaid(t *testing.T) {
	recordings()
	for url, want := range map[string]int{"http://shop": 2, "http://localhost:1": 1, "http://127.0.0.1": 1, "http://[::1]": 1} {
		synctest.Test(t, func(t *testing.T) {
			plan := start(t, newService(t))
			plan.URL, plan.Access = url, Access{Insecure: true, Token: "t"}
			doc, err := Run(t.Context(), plan)
			if err != nil || len(doc.Warnings) != want {
				t.Errorf("%s: %v, %q", url, err, doc.Warnings)
			}
		})
	}
}

// An answer that never comes ends with the connection's, too.
func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	err = ask(t, Plan{URL: address}, "/debug/vars")
	if err == nil {
		t.Fatal("somebody listens")
	}
	wantOneLine(t, err.Error(), "http://"+address+"/debug/vars", "refused")
}
