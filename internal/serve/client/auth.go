package client

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// Auth is how a server knows who asks. The zero value asks as nobody.
type Auth struct {
	Token  string      // bearer token
	Tenant string      // the name of a tenant of a Pyroscope
	TLS    *tls.Config // may have a client certificate; nil is the system's
}

// Anonymous is the tenant of a Pyroscope without tenants. With them, it stands for who runs
// the server.
const Anonymous = "anonymous"

// orgID is the header in which a Pyroscope with tenants finds the tenant.
const orgID = "X-Scope-OrgID"

// peer is a client of one server. It follows no redirect, which could take the token
// elsewhere.
type peer struct {
	source   string // the server's name in errors
	auth     Auth
	http     *http.Client
	separate atomic.Bool // the server is known to keep tenants apart
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
	if p.auth.Tenant != "" {
		if err := p.separates(req); err != nil {
			return nil, err
		}
		req.Header.Set(orgID, p.auth.Tenant)
	}
	return p.send(req)
}

// ErrShared is the error of a Pyroscope that ignores tenants, and would show the profiles of
// each to all.
var ErrShared = errors.New("it keeps the profiles of all tenants together; set multitenancy_enabled in its configuration")

// separates asks the server once about nobody's profiles. If it keeps tenants apart, it refuses.
func (p *peer) separates(req *http.Request) error {
	if p.separate.Load() {
		return nil
	}
	address := *req.URL
	address.Path = path.Join(path.Dir(path.Dir(address.Path)), "querier.v1.QuerierService", "LabelNames")
	now := time.Now()
	body, err := proto.Marshal(&pb.LabelNamesRequest{Start: now.Add(-time.Minute).UnixMilli(), End: now.UnixMilli()})
	if err != nil {
		return err
	}
	ask, err := http.NewRequestWithContext(req.Context(), http.MethodPost, address.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	ask.Header.Set("Content-Type", "application/proto")
	resp, err := p.send(ask)
	if err != nil {
		return err
	}
	resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		p.separate.Store(true)
		return nil
	case http.StatusOK:
		return fmt.Errorf("%s: %w", p.source, ErrShared)
	}
	return fmt.Errorf("%s: %s; whether it keeps tenants apart is not known", p.source, resp.Status)
}

func (p *peer) send(req *http.Request) (*http.Response, error) {
	if p.auth.Token != "" {
		req.Header.Set("Authorization", "Bearer "+p.auth.Token)
	}
	resp, err := p.http.Do(req)
	if err != nil {
		var wrapped *url.Error // has the whole address
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, remoteError{fmt.Errorf("%s: %w", p.source, err)}
	}
	return resp, nil
}

// remoteError is an error of the server or of the way to it.
type remoteError struct{ error }

func (e remoteError) Unwrap() []error { return []error{e.error, store.ErrRemote} }
