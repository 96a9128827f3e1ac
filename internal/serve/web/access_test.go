package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/serve"
)

// requests returns a request for each address of the server.
func requests() (all []route) {
	names := strings.NewReplacer("{service}", "shop", "{$}", "", "{method}", "LabelValues", "ingest", "ingest?name=shop",
		"flame/shop", "flame/shop?kind=inuse_space", "profile/shop", "profile/shop?kind=heap")
	for _, t := range routes {
		t.pattern = names.Replace(names.Replace(t.pattern))
		if t.pattern == "POST /shop/LabelValues" {
			t.pattern = "POST /querier.v1.QuerierService/LabelValues"
		}
		all = append(all, t)
	}
	return all
}

// Every address asks for a token, and only for the right one.
func TestEveryAddressIsProtected(t *testing.T) {
	h, _ := fleet(t, Access{Read: Bearer("reader"), Write: Bearer("writer")})
	for _, to := range requests() {
		method, address, _ := strings.Cut(to.pattern, " ")
		wrong := map[right]string{read: "Bearer writer", write: "Bearer reader"}[to.right]
		for _, given := range []string{"", "Bearer", "Bearer ", "Bearer Reader", wrong, "Basic cmVhZGVyOg=="} {
			w := request(h, method, address, heap(t), "Authorization", given, "Content-Type", "application/proto")
			if w.Code != 401 || strings.Contains(w.Body.String(), "shop") {
				t.Errorf("%s with %q: %d %.100s", to.pattern, given, w.Code, w.Body)
			}
		}
	}
}

// tenants is a fleet of two tenants beside who runs the server.
func tenants(t *testing.T, access Access) http.Handler {
	t.Helper()
	opts := serve.Options{Dir: t.TempDir()}
	servers := map[string]*serve.Server{}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1+len(access.Tenants()))
	for _, name := range append([]string{""}, access.Tenants()...) {
		own := opts.For(name, access.Tenants())
		if err := os.MkdirAll(own.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		s, err := serve.Open(own)
		if err != nil {
			t.Fatal(err)
		}
		servers[name] = s
		go func() { ran <- s.Run(ctx) }()
	}
	t.Cleanup(func() {
		cancel()
		for range cap(ran) {
			if err := <-ran; err != nil {
				t.Error(err)
			}
		}
	})
	return New(servers[""], Options{Access: access, Tenants: servers, Log: slog.New(slog.DiscardHandler)})
}

// A tenant sees the profiles that were pushed with its own tokens, whatever else a request
// says about tenants.
func TestTenants(t *testing.T) {
	h := tenants(t, Access{
		Read:  []Identity{{Tenant: "red", Token: "red-reader"}, {Tenant: "blue", Token: "blue-reader"}, {Token: "reader"}},
		Write: []Identity{{Tenant: "red", Token: "red-writer"}, {Tenant: "blue", Token: "blue-writer"}},
	})
	const claims = "tenant=blue&org_id=blue&__tenant_id__=blue"
	for _, address := range []string{"/api/push/shop?" + claims, "/ingest?name=shop%7Btenant%3Dblue%7D&" + claims} {
		w := request(h, "POST", address, heap(t), "Authorization", "Bearer red-writer", "X-Scope-OrgID", "blue")
		if w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
	}
	message := pushMessage(heap(t), "service_name", "shop", "__tenant_id__", "blue")
	w := request(h, "POST", pushRPC, message, "Authorization", "Bearer red-writer", "X-Scope-OrgID", "blue", "Content-Type", "application/proto")
	if w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	for token, own := range map[string]bool{"red-reader": true, "blue-reader": false, "reader": false} {
		shown := 0
		for _, to := range requests() {
			if to.right != read {
				continue
			}
			method, address, _ := strings.Cut(to.pattern, " ")
			var body []byte
			if method == "POST" {
				body = []byte(`{"name":"service_name"}`)
			}
			w := request(h, method, address, body, "Authorization", "Bearer "+token, "X-Scope-OrgID", "red", "Content-Type", "application/json")
			if strings.Contains(w.Body.String(), "shop.key") || strings.Contains(w.Body.String(), `["shop"]`) ||
				w.Code == 200 && strings.HasPrefix(address, "/api/profile") {
				shown++
				if !own {
					t.Errorf("%s reads %s: %d %.200s", token, to.pattern, w.Code, w.Body)
				}
			}
		}
		if own && shown < 4 {
			t.Errorf("the tenant itself sees %d of its pages", shown)
		}
	}
}

// blocked is a body that stops after some bytes, until it is closed.
type blocked struct {
	bytes        *int
	reading, end chan struct{}
}

func (b blocked) Read(p []byte) (int, error) {
	if *b.bytes > 0 {
		n := min(len(p), *b.bytes)
		*b.bytes -= n
		return n, nil
	}
	b.reading <- struct{}{}
	<-b.end
	return 0, errors.New("cut off")
}

// Bodies that do not come keep no question waiting, and no push. Large ones that stop keep
// other large ones of their tenant waiting, and nothing else.
func TestSlowBodiesKeepNobodyWaiting(t *testing.T) {
	both := []Identity{{Tenant: "red", Token: "red"}, {Tenant: "blue", Token: "blue"}}
	h := tenants(t, Access{Read: both, Write: both})
	reading, end := make(chan struct{}), make(chan struct{})
	ended, held := make(chan int), 0
	hold := func(n, bytes int, address, token string) {
		for range n {
			held++
			b := blocked{&bytes, reading, end}
			go func() {
				r, err := http.NewRequest("POST", address, b)
				if err != nil {
					t.Error(err)
				}
				r.Header.Set("Authorization", "Bearer "+token)
				r.Header.Set("Content-Type", "application/json")
				ended <- answer(h, r).Code
			}()
			<-reading
		}
	}
	hold(mostAsking/3-1, 0, "/querier.v1.QuerierService/LabelValues", "red")
	hold(mostSending/3-2, 0, "/api/push/shop", "red")
	hold(1, 2*smallSent, "/api/push/shop", "red")
	for _, token := range []string{"red", "blue"} {
		if w := request(h, "GET", "/", nil, "Authorization", "Bearer "+token); w.Code != 200 {
			t.Error(w.Code, w.Body)
		}
	}
	for _, token := range []string{"red", "blue"} {
		if w := request(h, "POST", "/api/push/shop", heap(t), "Authorization", "Bearer "+token); w.Code != 200 {
			t.Error(token, w.Code, w.Body)
		}
	}
	close(end)
	for range held {
		if code := <-ended; code == 200 {
			t.Error("a body that was cut off is answered")
		}
	}
}

// unread is a client that reads nothing of its answer until it is closed.
type unread struct {
	http.ResponseWriter
	writing, end chan struct{}
}

func (u unread) Write(data []byte) (int, error) {
	u.writing <- struct{}{}
	<-u.end
	return len(data), nil
}

// Clients that do not read their answers keep no other one waiting, until many of them do so.
func TestSlowReadersKeepNobodyWaiting(t *testing.T) {
	h, _ := fleet(t, Access{})
	writing, end, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	for range mostAnswers {
		go func() {
			h.ServeHTTP(unread{httptest.NewRecorder(), writing, end}, httptest.NewRequest("GET", "http://localhost/", nil))
			ended <- struct{}{}
		}()
		<-writing
	}
	if w := request(h, "GET", "/", nil); w.Code != 200 || !strings.HasSuffix(w.Body.String(), "</html>\n") {
		t.Error(w.Code, w.Body)
	}
	close(end)
	for range mostAnswers {
		<-ended
	}
}

// An answer that fails half-way is an error and nothing else. One too large to be held is sent
// in order.
func TestAnswers(t *testing.T) {
	w := httptest.NewRecorder()
	a := &reply{ResponseWriter: w}
	a.Write([]byte("half"))
	a.drop()
	http.Error(a, "failed", http.StatusBadGateway)
	a.send()
	if w.Code != 502 || w.Body.String() != "failed\n" {
		t.Error(w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	a = &reply{ResponseWriter: w}
	a.WriteHeader(http.StatusNotFound)
	want := strings.Repeat("large ", mostHeld/5)
	for part := range slices.Chunk([]byte(want), 1<<20) {
		a.Write(part)
	}
	a.drop()
	a.send()
	if w.Code != 404 || w.Body.String() != want {
		t.Error(w.Code, w.Body.Len(), len(want))
	}
}

// certificates makes a CA and a certificate for a name that it signed, as PEM.
func certificates(t *testing.T, name string, uri string) (ca []byte, pair tls.Certificate, cert, key []byte) {
	t.Helper()
	sign := func(template, parent *x509.Certificate, public any, with *ecdsa.PrivateKey) []byte {
		template.SerialNumber, template.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, public, with)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	var keys [2]*ecdsa.PrivateKey
	for i := range keys {
		var err error
		if keys[i], err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	root := &x509.Certificate{Subject: pkix.Name{CommonName: "root"}, IsCA: true, BasicConstraintsValid: true}
	rootDER := sign(root, root, keys[0].Public(), keys[0])
	leaf := &x509.Certificate{Subject: pkix.Name{CommonName: name}, DNSNames: []string{"localhost"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}}
	if uri != "" {
		u, err := url.Parse(uri)
		if err != nil {
			t.Fatal(err)
		}
		leaf.URIs = []*url.URL{u}
	}
	leafDER := sign(leaf, root, keys[1].Public(), keys[0])
	keyDER, err := x509.MarshalECPrivateKey(keys[1])
	if err != nil {
		t.Fatal(err)
	}
	encode := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	ca, cert, key = encode("CERTIFICATE", rootDER), encode("CERTIFICATE", leafDER), encode("EC PRIVATE KEY", keyDER)
	if pair, err = tls.X509KeyPair(cert, key); err != nil {
		t.Fatal(err)
	}
	return ca, pair, cert, key
}

// A certificate of the CA is an identity by its name. Without identities, every certificate
// of the CA may read and push, under any name of the server. Others have no connection.
func TestClientCertificates(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ca, _, cert, key := certificates(t, "serve", "")
	clientCA, alice, _, _ := certificates(t, "alice", "spiffe://example.org/alice")
	_, eve, _, _ := certificates(t, "alice", "spiffe://example.org/alice")
	otherCA, bob, _, _ := certificates(t, "bob", "")
	listener := Listener{Address: "127.0.0.1:0", Cert: file("cert", cert), Key: file("key", key),
		ClientCA: file("ca", append(clientCA, otherCA...))}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	for name, c := range map[string]struct {
		access Access
		read   map[string]int // client → status, 0 for no connection
	}{
		"everybody": {Access{}, map[string]int{"alice": 200, "bob": 200, "eve": 0, "nobody": 0}},
		"named":     {Access{Read: []Identity{{Cert: "alice"}}}, map[string]int{"alice": 200, "bob": 401, "eve": 0}},
		"by URI":    {Access{Read: []Identity{{Tenant: "red", Cert: "spiffe://example.org/alice"}}}, map[string]int{"alice": 200, "bob": 401}},
		"by token":  {Access{Read: Bearer("token")}, map[string]int{"alice": 401, "bob": 401, "nobody": 0}},
	} {
		l, err := listener.Open(t.Context(), c.access)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, l, tenants(t, c.access)) }()
		for client, want := range c.read {
			config := &tls.Config{RootCAs: roots, ServerName: "localhost"}
			if pair, ok := map[string]tls.Certificate{"alice": alice, "bob": bob, "eve": eve}[client]; ok {
				config.Certificates = []tls.Certificate{pair}
			}
			r, err := http.NewRequest("GET", "https://"+l.Addr().String()+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = "serve.example.org"
			transport := &http.Transport{TLSClientConfig: config}
			resp, err := transport.RoundTrip(r)
			code := 0
			if err == nil {
				code = resp.StatusCode
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			transport.CloseIdleConnections()
			if code != want {
				t.Errorf("%s: %s reads: %d, %v", name, client, code, err)
			}
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestIdentities(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readers")
	for text, want := range map[string][]Identity{
		"secret\n":                              {{Token: "secret"}},
		"# those who read\n\nred secret\r\n x ": {{Tenant: "red", Token: "secret"}, {Token: "x"}},
		"red cert:alice\ncert:bob\n":            {{Tenant: "red", Cert: "alice"}, {Cert: "bob"}},
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Identities(t.Context(), file); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, says := range map[string]string{"": "no token", "#": "no token", "a b secret": ":1:", "\n../x secret": ":2:", "Red secret": ":1:", "cert:": "cert:NAME"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Identities(t.Context(), file); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
	l := Listener{Address: "127.0.0.1:0"}
	if _, err := l.Open(t.Context(), Access{Read: []Identity{{Cert: "alice"}}}); err == nil || !strings.Contains(err.Error(), "-client-ca") {
		t.Error("nobody can show a certificate:", err)
	}
	twice := Access{Read: []Identity{{Tenant: "red", Token: "x"}}, Write: []Identity{{Tenant: "blue", Token: "x"}}}
	if err := twice.Check(); err == nil {
		t.Error("one token is of two tenants")
	}
}

// mayBeShorter are the formats of which a part may be a whole.
var mayBeShorter = map[string]bool{"pprof": true, "message": true, "folded": true, "lines": true, "OTLP": true}

// Whatever an address takes, a part of it and something else are refused, without a fault of
// the server. Nothing of it is kept, but for a part that is a whole profile.
func TestPartsOfBodies(t *testing.T) {
	packed := heap(t)
	zr, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	message := pushMessage(packed, "service_name", "shop", "__name__", "memory")
	form, formType := formOf(t, whole)
	for name, c := range map[string]struct {
		address, kind, encoding string
		body                    []byte
	}{
		"pprof":          {"/api/push/shop", "", "", whole},
		"gzip":           {"/api/push/shop", "", "", packed},
		"ingest":         {"/ingest?name=shop", "", "", packed},
		"form":           {"/ingest?name=shop", formType, "", form},
		"message":        {pushRPC, "application/proto", "", message},
		"packed message": {pushRPC, "application/proto", "gzip", pack(t, message)},
		"folded":         {"/ingest?name=shop&format=folded", "", "", []byte("main;work;parse 10\nmain;work 5\n")},
		"lines":          {"/ingest?name=shop&format=lines", "", "", []byte("main;work\nmain\n")},
		"OTLP":           {"/v1development/profiles", "application/x-protobuf", "", exportOf("shop", 7)},
		"question":       {"/querier.v1.QuerierService/SelectMergeProfile", "application/json", "", []byte(`{"profile_typeID":"process_cpu:cpu:nanoseconds:cpu:nanoseconds","label_selector":"{}"}`)},
	} {
		h, s := fleet(t, Access{})
		post := func(body []byte) int {
			header := []string{"Content-Type", c.kind}
			if c.encoding != "" {
				header = append(header, "Content-Encoding", c.encoding)
			}
			return request(h, "POST", c.address, body, header...).Code
		}
		for n := 0; n < len(c.body); n += 1 + len(c.body)/60 {
			if code := post(c.body[:n]); code >= 500 || code == 200 && !mayBeShorter[name] {
				t.Errorf("%s, %d bytes of %d: %d", name, n, len(c.body), code)
			}
			garbage := bytes.Clone(c.body)
			for i := n; i < min(n+8, len(garbage)); i++ {
				garbage[i] ^= 0xa5
			}
			if code := post(garbage); code >= 500 {
				t.Errorf("%s, garbage at %d of %d: %d", name, n, len(c.body), code)
			}
		}
		if code := post(c.body); code != 200 {
			t.Errorf("%s: whole: %d", name, code)
		}
		if u := s.Fleet().Store; u.Refused.Others > 0 {
			t.Errorf("%s: %+v", name, u.Refused)
		}
	}
}
