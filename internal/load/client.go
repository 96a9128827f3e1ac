package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// keptOfBody is how many bytes of an answer are kept, for the text of an error; the
// rest is read and dropped.
const keptOfBody = 256

// Client sends the requests to one server.
type Client struct {
	targets   []vegeta.Target
	transport http.RoundTripper
	close     func()
}

// Close gives the connections up.
func (c *Client) Close() { c.close() }

// http returns an HTTP client whose requests end with ctx.
func (c *Client) http(ctx context.Context) *http.Client {
	return &http.Client{
		Transport: bound{ctx, c.transport},
		Timeout:   Timeout,
		// A redirect is an answer. To follow it would measure two requests.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bound is a transport whose requests end with a context as well as with their
// own.
type bound struct {
	ctx  context.Context
	next http.RoundTripper
}

func (b bound) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(b.ctx, cancel)
	answer, err := b.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		stop()
		cancel()
		return nil, err
	}
	answer.Body = &releasing{answer.Body, func() { stop(); cancel() }}
	return answer, nil
}

// releasing calls a function when a body is closed.
type releasing struct {
	io.ReadCloser
	release func()
}

func (r *releasing) Close() error {
	defer r.release()
	return r.ReadCloser.Close()
}

// Try sends the first request once. An answer with a status that is an error
// is a *StatusError, any other error means that there was no answer.
func (c *Client) Try(ctx context.Context) error {
	target := c.targets[0]
	request, err := target.Request()
	if err != nil {
		return err
	}
	answer, err := c.http(ctx).Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, keptOfBody))
	if err != nil {
		return fmt.Errorf("%s %s: %w", target.Method, target.URL, err)
	}
	if answer.StatusCode >= 400 {
		return &StatusError{answer.StatusCode, say(target.Method, target.URL, answer.Status, body)}
	}
	return nil
}

// StatusError is an answer that says that the request failed.
type StatusError struct {
	Code int
	text string
}

func (e *StatusError) Error() string { return e.text }

func describe(r *vegeta.Result) string {
	if r.Code == 0 { // no answer; the error names method and URL
		return r.Error
	}
	return say(r.Method, r.URL, r.Error, r.Body)
}

// say words an answer that is an error, with the first line of its body.
func say(method, url, status string, body []byte) string {
	text := fmt.Sprintf("%s %s: %s", method, url, status)
	if line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n"); line != "" {
		text += ": " + line
	}
	return text
}
