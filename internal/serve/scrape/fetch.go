package scrape

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// errOdd is wrapped by the error of an answer that is no profile.
var errOdd = errors.New("an odd answer")

// newClient returns a client that follows no redirect to another host: a target must not
// make this process ask somebody else.
func newClient(opts Options) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // targets are in this network
	t.TLSClientConfig = opts.TLS
	t.MaxResponseHeaderBytes = 256 << 10
	t.DisableCompression = true // profiles are compressed, and inflating them is bounded elsewhere
	t.MaxIdleConnsPerHost = 1
	t.MaxIdleConns = 1000
	client := &http.Client{Transport: withToken{t, opts.Token}}
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if first := via[0].URL; next.URL.Host != first.Host || next.URL.Scheme != first.Scheme || len(via) > 3 {
			return fmt.Errorf("%w: it redirects to %.100q", errOdd, next.URL.Redacted())
		}
		return nil
	}
	return client
}

// withToken adds a bearer token to requests.
type withToken struct {
	http.RoundTripper
	token string
}

func (t withToken) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.token != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+t.token)
	}
	return t.RoundTripper.RoundTrip(req)
}

// fetch calls use with an answer, which takes its time if it records.
func (s *Scraper) fetch(
	ctx context.Context, p *process, address string, took time.Duration, use func([]byte) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, took+s.opts.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		var wrapped *url.Error // has the address, which is shown beside it
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: %s", errOdd, resp.Status)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return fmt.Errorf("%w: a page for people", errOdd)
	}
	return s.read(ctx, p, address, took > 0, resp.Body, use)
}
