package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"github.com/heapwright/heapwright/internal/input"
)

// Listener says where to listen and how to be protected there. The zero value but for an
// address is plain HTTP for this machine.
type Listener struct {
	Address   string
	Cert, Key string // files of the server's certificate
	ClientCA  string // file of the certificates that the clients' are checked with
	NoAuth    bool   // answer everybody who can reach the address
}

// ErrUnprotected is wrapped by the error of an address that others can reach and that
// nothing protects.
var ErrUnprotected = errors.New("others can reach it")

// Open listens. An address that others can reach needs tokens or client certificates.
func (l *Listener) Open(ctx context.Context, access Access) (net.Listener, error) {
	host, _, err := net.SplitHostPort(l.Address)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: write HOST:PORT", l.Address)
	}
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	if !loopback && access.Open() && l.ClientCA == "" && !l.NoAuth {
		return nil, fmt.Errorf("listen on %s: %w; give -read-tokens and -write-tokens, "+
			"or -client-ca, or -insecure-no-auth if you mean it", l.Address, ErrUnprotected)
	}
	if l.ClientCA == "" && access.certificates() {
		return nil, errors.New("cert:NAME is a name in a client certificate, which takes -client-ca")
	}
	config, err := l.tls(ctx)
	if err != nil {
		return nil, err
	}
	open, err := (&net.ListenConfig{}).Listen(ctx, "tcp", l.Address)
	if err != nil {
		return nil, fmt.Errorf("%w; give another address with -listen", err)
	}
	listener := netutil.LimitListener(open, mostConnections)
	if config == nil {
		return listener, nil
	}
	return tls.NewListener(listener, config), nil
}

// URL returns the address of the first page.
func (l *Listener) URL(at net.Addr) string {
	scheme := "http"
	if l.Cert != "" {
		scheme = "https"
	}
	return scheme + "://" + at.String() + "/"
}

// mostConnections bounds the connections, each of which takes some memory before it is known
// who it is from. More wait in the queue of the system.
const mostConnections = 2000

// maxPEM bounds a file of certificates, in bytes.
const maxPEM = 16 << 20

func (l *Listener) tls(ctx context.Context) (*tls.Config, error) {
	if l.Cert == "" && l.Key == "" && l.ClientCA == "" {
		return nil, nil
	}
	if l.Cert == "" || l.Key == "" {
		return nil, errors.New("TLS takes a certificate and its key: -cert and -key")
	}
	pair := make([][]byte, 0, 2)
	for _, name := range []string{l.Cert, l.Key} {
		pem, err := input.ReadFile(ctx, name, maxPEM)
		if err != nil {
			return nil, err
		}
		pair = append(pair, pem)
	}
	cert, err := tls.X509KeyPair(pair[0], pair[1])
	if err != nil {
		return nil, fmt.Errorf("certificate %s: %w", l.Cert, err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2", "http/1.1"}}
	if l.ClientCA != "" {
		pem, err := input.ReadFile(ctx, l.ClientCA, maxPEM)
		if err != nil {
			return nil, err
		}
		config.ClientCAs, config.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !config.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: there is no certificate in it", l.ClientCA)
		}
	}
	return config, nil
}

// Bounds of a connection. A body may take as long as a slow upload of some megabytes.
const (
	headerTime = 10 * time.Second
	bodyTime   = time.Minute
	idleTime   = 2 * time.Minute
	maxHeader  = 64 << 10
)

// Serve answers on a listener until the context ends, and then waits for the requests
// that have begun.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: headerTime,
		ReadTimeout: bodyTime, WriteTimeout: bodyTime + patience, IdleTimeout: idleTime}
	done := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		done <- server.Shutdown(ctx)
	})
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if err := <-done; errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return nil
}
