package collect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/termtext"
)

// statusError is an answer that is not 200.
type statusError struct {
	code int
	says string // the first line of the answer
}

func (e *statusError) Error() string {
	s := fmt.Sprintf("%d %s", e.code, http.StatusText(e.code))
	if e.says != "" {
		s += ", " + strconv.Quote(e.says)
	}
	if strings.Contains(e.says, "WriteTimeout") { // net/http/pprof before it extended the deadline
		return s + "; give a shorter -duration, below the WriteTimeout of the service's http.Server"
	}
	switch e.code {
	case http.StatusUnauthorized, http.StatusForbidden:
		s += "; give -token-file, or -user and -password-file"
	case http.StatusNotFound:
		if e.says == "Unknown profile" { // the answer of net/http/pprof
			s += "; the service's version of Go does not have it"
			break
		}
		s += "; does the service import net/http/pprof (and expvar) and serve http.DefaultServeMux there?"
	}
	return s
}

// errNoSuchThing is in the error of an answer that shows that a service does not
// serve the address that was asked, but a page for people instead.
var errNoSuchThing = errors.New("an HTML page is served there; check the URL and the login")

// wrongAnswer is the error of an answer of another kind than asked for.
type wrongAnswer struct{ error }

func (e wrongAnswer) Unwrap() error { return e.error }

// answers reports whether an error shows a service that is alive and answers, but
// with something else.
func answers(err error) bool {
	var status *statusError
	var wrong wrongAnswer
	return errors.As(err, &status) || errors.As(err, &wrong) || errors.Is(err, errNoSuchThing) ||
		errors.Is(err, errRedirect)
}

// get returns the body of an answer, whole and at most as large as the plan
// and the kind allow. Errors are one line that begins with the URL.
func (c *collector) get(ctx context.Context, address string, recording time.Duration, k kind) ([]byte, error) {
	began := time.Now()
	late := c.patience.allowed(c.plan.Timeout)
	if late == 0 {
		return nil, about(address, errSilent)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, recording+late, errSlow)
	defer cancel()
	defer c.waiting(k, recording, late)()
	body, err := c.answer(ctx, address, k)
	cause := context.Cause(ctx)
	if err == nil || cause == nil {
		c.patience.answered()
		return body, about(address, err)
	}
	if errors.Is(cause, errSlow) {
		c.patience.late(began)
		cause = fmt.Errorf("%w %v; allow more with -timeout", errSlow, recording+late)
	}
	return nil, about(address, cause)
}

func (c *collector) answer(ctx context.Context, address string, k kind) ([]byte, error) {
	req, err := c.plan.Access.request(ctx, address, "heapwright/"+c.plan.Tool)
	if err != nil {
		return nil, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		var wrapped *url.Error // names the URL a second time
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		head, _ := io.ReadAll(io.LimitReader(resp.Body, 200)) // only to say more: without it the code says enough
		line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
		if isHTML(resp) {
			line = nil
		}
		return nil, &statusError{resp.StatusCode, string(line)}
	}
	// Login pages, and applications that answer under any path, have status 200 too.
	if isHTML(resp) {
		return nil, errNoSuchThing
	}
	if k.sized && endsWithConnection(resp) {
		return nil, wrongAnswer{
			errors.New("the answer does not say where it ends, so that a part of it would pass for the whole; " +
				"ask the service itself, not a proxy that speaks HTTP/1.0")}
	}
	// One byte more than allowed is enough to see that the answer is too large.
	limit := min(cmp.Or(k.most, c.plan.MaxBytes), c.plan.MaxBytes)
	body, err := io.ReadAll(io.LimitReader(&boundedReader{resp.Body, c}, limit+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("the answer broke off after %d bytes; did the service die?", len(body))
	case errors.Is(err, errTooMuch):
		return nil, wrongAnswer{err}
	case err != nil:
		return nil, fmt.Errorf("after %d bytes: %w", len(body), err)
	case int64(len(body)) > limit && limit < c.plan.MaxBytes:
		return nil, wrongAnswer{fmt.Errorf("the answer is larger than %d bytes; is something else served there?",
			limit)}
	case int64(len(body)) > limit:
		return nil, wrongAnswer{fmt.Errorf(
			"the answer is larger than %d bytes; allow more with -max-bytes if you trust it", c.plan.MaxBytes)}
	}
	return body, nil
}

// shortError is an error that repeats no more than some hundred bytes of an answer.
type shortError struct{ error }

func (e shortError) Unwrap() error { return e.error }
func (e shortError) Error() string { return termtext.Middle(e.error.Error()) }

var errTooMuch = errors.New(
	"the answers of this service are too large to be held in memory; allow more with -max-bytes if you trust it")

// boundedReader bounds the memory of all answers together, which stay there until they
// are saved and decoded, to a fourth of the plan's limit.
type boundedReader struct {
	r io.Reader
	c *collector
}

func (r *boundedReader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if r.c.received.Add(int64(n)) > 16<<20+r.c.plan.MaxBytes/4 {
		return n, errTooMuch
	}
	return n, err
}

// endsWithConnection reports whether the end of the connection is taken for the end of
// the answer, even if the service died (RFC 9112, 6.3).
func endsWithConnection(resp *http.Response) bool {
	return resp.ProtoMajor == 1 && resp.ContentLength < 0 && len(resp.TransferEncoding) == 0 && !resp.Uncompressed
}

func isHTML(resp *http.Response) bool {
	t, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return t == "text/html"
}

// notServed reports whether an error shows that a service does not serve a thing,
// rather than that it should have and could not.
func notServed(err error) bool {
	var status *statusError
	if errors.As(err, &status) {
		return status.code == http.StatusNotFound || status.code == http.StatusMethodNotAllowed
	}
	return errors.Is(err, errNoSuchThing)
}
