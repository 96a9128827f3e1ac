package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
)

// Access gives the rights of each identity. The zero value lets everybody read and write, and is for
// a listener that only this machine reaches.
type Access struct {
	AnyHost     bool     // without tokens, answer to any name of this machine
	Read, Write []string // bearer tokens; those that may write may not read unless they are in both
}

// Open reports whether no token is asked for.
func (a Access) Open() bool { return len(a.Read)+len(a.Write) == 0 }

func (h *Handler) read(do action) http.HandlerFunc {
	return h.allowed(h.opts.Access.Read, h.limited(h.working, do))
}

func (h *Handler) write(do action) http.HandlerFunc {
	return h.allowed(h.opts.Access.Write, h.limited(h.keeping, do))
}

// allowed asks for one of the tokens. A browser may give it as the password of basic
// authentication, for which it asks its user.
func (h *Handler) allowed(tokens []string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if h.opts.Access.Open() {
			if !h.opts.Access.AnyHost && !local(r.Host) {
				http.Error(w, "this server answers to localhost only; give it a token file", http.StatusForbidden)
				return
			}
			next(w, r)
			return
		}
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			_, given, ok = r.BasicAuth()
		}
		if !ok || !oneOf(tokens, given) {
			w.Header().Set("WWW-Authenticate", `Basic realm="heapwright serve: any name, and the token as password"`)
			http.Error(w, "a token is needed", http.StatusUnauthorized)
			return
		}
		next(w, r)
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

// oneOf compares in constant time.
func oneOf(tokens []string, given string) bool {
	sum := sha256.Sum256([]byte(given))
	found := 0
	for _, t := range tokens {
		want := sha256.Sum256([]byte(t))
		found |= subtle.ConstantTimeCompare(sum[:], want[:])
	}
	return found == 1
}
