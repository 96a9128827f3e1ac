package client

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Auth is how a server knows who asks. The zero value asks as nobody.
type Auth struct {
	Token  string      // bearer token
	Tenant string      // the name of a tenant of a Pyroscope
	TLS    *tls.Config // may have a client certificate; nil is the system's
}

// orgID is the header in which a Pyroscope with tenants finds the tenant.
const orgID = "X-Scope-OrgID"

// peer is a client of one server. It follows no redirect, which could take the token
// elsewhere.
type peer struct {
	source string // the server's name in errors
	auth   Auth
	http   *http.Client
}

func newPeer(source string, auth Auth) *peer {
	c := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	if auth.TLS != nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.TLSClientConfig = auth.TLS
		c.Transport = t
	}
	return &peer{source: source, auth: auth, http: c}
}

// do sends a request.
func (p *peer) do(req *http.Request) (*http.Response, error) {
	if p.auth.Token != "" {
		req.Header.Set("Authorization", "Bearer "+p.auth.Token)
	}
	if p.auth.Tenant != "" {
		req.Header.Set(orgID, p.auth.Tenant)
	}
	resp, err := p.http.Do(req)
	if err != nil {
		var wrapped *url.Error // has the whole address
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("%s: %w", p.source, err)
	}
	return resp, nil
}
