// Package otlphttp receives OTLP over HTTP, in protobuf and in JSON, with every
// request in an arena. The type of the export function determines the messages.
//
// The package bounds the size of requests, not their time: set ReadHeaderTimeout
// and ReadTimeout of [http.Server], or a request may take for ever to arrive.
//
//	http.Handle("/v1/traces", otlphttp.Handler(&pool, export))
package otlphttp

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
)

// DefaultMaxBytes is the default bound of a request's body, in bytes, as in the
// OpenTelemetry Collector.
const DefaultMaxBytes = 20 << 20

// Options configures a handler. The zero value is useful.
type Options struct {
	// MaxBytes bounds the body of a request, both as sent and decompressed. 0 means
	// [DefaultMaxBytes]. Decoded messages take more: an empty span takes two bytes
	// of the body and some 280 of memory, as it does with proto.Unmarshal.
	MaxBytes int64

	// TextInArena puts strings and bytes into the arena: they die with the request.
	TextInArena bool
}

// An Error of an export function is sent to the client with its status and message.
// Any other error is sent with status 500 and its text, which must not hold secrets;
// in place of the addresses and paths of this side, which errors of connections and
// files hold, a client is sent a general text.
type Error struct {
	// Status is the HTTP status; one that is not between 400 and 599 becomes 500.
	// OTLP clients may retry after 429, 502, 503 and 504.
	Status int

	RetryAfter time.Duration // 0 leaves it to the client
	Message    string
}

func (e *Error) Error() string { return e.Message }

// A message is a pointer to a generated type.
type message[T any] interface {
	*T
	proto.Message
}

// Handler returns a handler of OTLP over HTTP that decodes requests into arenas of
// the pool and calls export. The request and its arena, [arena.FromContext], are
// valid until the response of export was encoded; strings and bytes of the request
// may be kept. A nil pool stands for the plain heap. Several goroutines call export
// at once, each with its own arena.
func Handler[Request, Response any, Q message[Request], R message[Response]](pool *arena.Pool, export func(context.Context, Q) (R, error)) http.Handler {
	return WithOptions(Options{}, pool, export)
}

// WithOptions is [Handler] with options.
func WithOptions[Request, Response any, Q message[Request], R message[Response]](o Options, pool *arena.Pool, export func(context.Context, Q) (R, error)) http.Handler {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, err := encodingOf(r)
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			err = &Error{Status: http.StatusMethodNotAllowed, Message: "use POST"}
		}
		var response []byte
		if err == nil {
			response, err = serve(in, r, pool, o, Q(new(Request)), export)
		}
		w.Header().Set("Content-Type", in.contentType)
		if err != nil {
			in.refuse(w, err)
			return
		}
		w.Write(response) // a client that has gone needs no answer
	})
}

// serve returns the encoded response. If export panics, the arena is left to the
// collector: whoever recovers may print a value that refers to the request.
func serve[Q, R proto.Message](in *encoding, r *http.Request, pool *arena.Pool, o Options, request Q, export func(context.Context, Q) (R, error)) ([]byte, error) {
	a, err := in.receive(r, pool, o, request)
	if err != nil {
		return nil, err
	}
	response, err := export(arena.NewContext(r.Context(), a), request)
	var encoded []byte
	if err == nil {
		encoded, err = in.marshal(response)
	}
	if err != nil {
		err = answer(err) // its text may lie in the arena, or be made from the request
	}
	a.Free()
	return encoded, err
}

// answer returns a copy of the parts of an error that a client is sent.
func answer(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Status: http.StatusInternalServerError, Message: text(err)}
	}
	return &Error{Status: e.Status, RetryAfter: e.RetryAfter, Message: strings.Clone(e.Message)}
}

// text returns a copy of the text of an error, without addresses and paths.
func text(err error) string {
	switch {
	case errors.As(err, new(*net.OpError)), errors.As(err, new(*net.DNSError)), errors.As(err, new(*url.Error)):
		return "a connection behind this service failed"
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.LinkError)):
		return "a file behind this service could not be used"
	}
	return strings.Clone(err.Error())
}

// receive decodes the body of a request into an arena, which it returns.
func (in *encoding) receive(r *http.Request, pool *arena.Pool, o Options, request proto.Message) (*arena.Arena, error) {
	body := buffer()
	defer release(body)
	if err := read(r, body, o.MaxBytes); err != nil {
		return nil, err
	}
	a := pool.Get()
	if err := in.unmarshal(o, a, *body, request); err != nil {
		err = &Error{Status: http.StatusBadRequest, Message: err.Error()}
		a.Free()
		return nil, err
	}
	return a, nil
}

// refuse answers with the status of an error, and a google.rpc.Status as the body.
func (in *encoding) refuse(w http.ResponseWriter, err error) {
	e := answer(err)
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.RetryAfter+time.Second-1)/time.Second)))
	}
	status := e.Status
	if status < 400 || status > 599 {
		status = http.StatusInternalServerError
	}
	w.WriteHeader(status)
	w.Write(in.status(code(status), strings.ToValidUTF8(e.Message, "\ufffd")))
}

// code returns the gRPC code for an HTTP status (google/rpc/code.proto).
func code(status int) uint64 {
	switch status {
	case http.StatusTooManyRequests, http.StatusRequestEntityTooLarge:
		return 8 // RESOURCE_EXHAUSTED
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return 14 // UNAVAILABLE
	case http.StatusMethodNotAllowed:
		return 12 // UNIMPLEMENTED
	}
	if status >= 500 {
		return 13 // INTERNAL
	}
	return 3 // INVALID_ARGUMENT
}
