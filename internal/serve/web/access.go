package web

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// right is the right that a route takes. Who may push may not read, unless both files name them.
type right int

const (
	read right = iota
	write
)

// Bounds of a question to the server, which has a small body. Many may send theirs at the
// same time, before it is their turn. Tenants share them equally.
const (
	mostAsked  = 1 << 20
	mostAsking = 64
	askingTime = 10 * time.Second
)

// Bounds of pushes. Most are small, and complete before it is their turn to be decoded and
// kept. Larger ones have turns of their own. Tenants share all numbers equally, and have one
// at least.
const (
	smallSent   = 128 << 10
	mostSending = 256
	mostKeeping = 5
	mostLarge   = 3
)

// allowed finds out who asks, and hands the request to the tenant's handler. The tenant
// follows from the identity, and from nothing else in the request.
func (s *site) allowed(t route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		access := &s.opts.Access
		if access.Open() {
			if !access.AnyHost && !local(r.Host) && len(certified(r)) == 0 {
				http.Error(w, "this server answers to localhost only; give it a token file", http.StatusForbidden)
				return
			}
			s.tenants[""].serve(w, r, t)
			return
		}
		identities := access.Read
		if t.right == write {
			identities = access.Write
		}
		who, ok := known(identities, r)
		if !ok {
			w.Header().Set("WWW-Authenticate", `Basic realm="heapwright serve: any name, and the token as password"`)
			http.Error(w, "a token is needed", http.StatusUnauthorized)
			return
		}
		s.tenants[who.Tenant].serve(w, r, t)
	}
}

// local reports whether a request names this machine as its host. A page of another site
// whose name leads here says that name.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ask reads the body of a question before its turn, so that a slow one keeps nobody
// waiting.
func (h *Handler) ask(w http.ResponseWriter, r *http.Request) error {
	select {
	case h.asking <- struct{}{}:
		defer func() { <-h.asking }()
	default:
		return errBusy
	}
	// A writer without deadlines is a test's.
	if err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(askingTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, mostAsked+1))
	if err != nil {
		return bad("%w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return nil
}

// receive reads the beginning of a push before its turn, so that one whose body stops keeps
// nobody waiting. It returns the turns that the push waits for.
func (h *Handler) receive(r *http.Request) ([]turns, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, smallSent))
	if err != nil {
		return nil, bad("%w", err)
	}
	if len(data) < smallSent {
		r.Body = io.NopCloser(bytes.NewReader(data))
		return []turns{h.keeping}, nil
	}
	rest := r.Body
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(data), rest), rest}
	return []turns{h.large}, nil
}
