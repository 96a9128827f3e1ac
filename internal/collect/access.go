package collect

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/heapwright/heapwright/internal/input"
)

// Access is how to get in. The zero value is a service that asks for nothing.
type Access struct {
	CA        string // file of certificates that the server's is checked with, instead of the system's
	Cert, Key string // files of a client certificate
	Insecure  bool   // do not check the server's certificate

	Token          string // bearer token
	User, Password string // basic authentication
	Header         http.Header

	Redirects bool // follow redirects to another host; it is given neither credentials nor headers
}

var errRedirect = errors.New("redirected")

// maxRedirects is the default of net/http.
const maxRedirects = 10

// client returns a client that asks with the credentials for root's host alone.
func (a Access) client(ctx context.Context, root *url.URL,
	dial func(context.Context, string, string) (net.Conn, error)) (*http.Client, error) {
	transport, err := a.transport(ctx)
	if err != nil {
		return nil, err
	}
	if dial != nil {
		transport.DialContext = dial
	}
	return &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if sameOrigin(next.URL, root) {
			if len(via) >= maxRedirects {
				return fmt.Errorf("%w %d times; check the URL", errRedirect, maxRedirects)
			}
			return nil
		}
		if !a.Redirects || len(via) >= maxRedirects {
			return fmt.Errorf("%w to %q, another host; give its URL, or -allow-redirects if you trust it",
				errRedirect, next.URL.Redacted())
		}
		next.Header = http.Header{"User-Agent": next.Header["User-Agent"]}
		return nil
	}}, nil
}

// sameOrigin holds for one host under one scheme, or one that became safer.
func sameOrigin(next, root *url.URL) bool {
	return next.Host == root.Host && (next.Scheme == root.Scheme || next.Scheme == "https")
}

// maxPEM bounds a file of certificates, in bytes.
const maxPEM = 16 << 20

// pair reads the client certificate.
func (a Access) pair(ctx context.Context) (tls.Certificate, error) {
	cert, err := input.ReadFile(ctx, a.Cert, maxPEM)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := input.ReadFile(ctx, a.Key, maxPEM)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(cert, key)
}

// maxHeader bounds the header of an answer, in bytes. The headers of services and of the
// proxies before them have a few KiB; net/http takes 10 MiB.
const maxHeader = 256 << 10

func (a Access) transport(ctx context.Context) (*http.Transport, error) {
	config, err := a.TLS(ctx)
	if err != nil {
		return nil, err
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxResponseHeaderBytes, t.TLSClientConfig = maxHeader, config
	return t, nil
}

// TLS returns the configuration of a client.
func (a Access) TLS(ctx context.Context) (*tls.Config, error) {
	config := &tls.Config{InsecureSkipVerify: a.Insecure}
	if a.CA != "" {
		pem, err := input.ReadFile(ctx, a.CA, maxPEM)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: there is no certificate in it; a CA file is PEM", a.CA)
		}
	}
	if (a.Cert == "") != (a.Key == "") {
		return nil, errors.New("a client certificate takes a file of its own and one of its key: -cert and -key")
	}
	if a.Cert != "" {
		pair, err := a.pair(ctx)
		if err != nil {
			return nil, fmt.Errorf("client certificate %s: %w; -cert and -key are PEM files that belong together",
				a.Cert, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// request returns a GET with all that gets in.
func (a Access) request(ctx context.Context, address, agent string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if a.Header != nil {
		req.Header = a.Header.Clone()
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host // net/http takes it from here alone
	}
	req.Header.Set("User-Agent", agent)
	switch {
	case a.Token != "":
		req.Header.Set("Authorization", "Bearer "+a.Token)
	case a.User != "":
		req.SetBasicAuth(a.User, a.Password)
	}
	return req, nil
}

// warnings names the data that is open to others on the way.
func (a Access) warnings(root *url.URL) (all []string) {
	if a.Insecure {
		all = append(all, "-insecure: the server's certificate was not checked; anybody on the way may have answered")
	}
	ip := net.ParseIP(root.Hostname())
	local := root.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if root.Scheme == "http" && !local && (a.Token != "" || a.User != "") {
		all = append(all, "the credentials went over plain http, readable for everybody on the way; use https")
	}
	return all
}
