// Package otlphttp receives OTLP over HTTP, in protobuf and in JSON, with every
// request in an arena. The type of the export function determines the messages.
//
// The package bounds the size of requests, not their time: set ReadHeaderTimeout
// and ReadTimeout of [http.Server], or a request may take for ever to arrive.
//
//	http.Handle("/v1/traces", otlphttp.NewHandler(export, &pool, otlphttp.Options{}))
package otlphttp

import (
	"context"
	"errors"
	"net/http"
	"reflect"
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

	// Text is the place of strings and bytes. With [arena.TextArena] they die with the
	// request, which saves one allocation of the size of the body. [arena.TextAlias] is
	// the same here, because the buffer of the body is used again.
	Text arena.Text
}

// An Error is an answer that an export function chooses for the client, who can read
// all of it. Any other error is answered with status 500 and the text of that status
// alone, because its own text may hold secrets, addresses and paths. The package writes
// no log: an export function logs its errors itself.
type Error struct {
	// Status is the HTTP status; one that is not between 400 and 599 becomes 500.
	// OTLP clients may retry after 429, 502, 503 and 504.
	Status int

	RetryAfter time.Duration // 0 leaves it to the client
	Message    string        // without one, the client gets the text of the status
}

func (e *Error) Error() string {
	if e.Message == "" {
		return http.StatusText(e.status())
	}
	return e.Message
}

func (e *Error) status() int {
	if e.Status < 400 || e.Status > 599 {
		return http.StatusInternalServerError
	}
	return e.Status
}

// NewHandler returns a handler of OTLP over HTTP that decodes requests into arenas of
// the pool and calls export. Request is a pointer to a generated type; NewHandler panics
// if it is an interface. The request and its arena, [arena.FromContext], are valid until
// the response of export was encoded; strings and bytes of the request may be kept,
// unless the options put them into the arena. A nil pool stands for the plain heap.
// Several goroutines call export at once, each with its own arena. An [Error] of export
// is sent to the client; the text of any other error is not.
func NewHandler[Request, Response proto.Message](export func(context.Context, Request) (Response, error), pool *arena.Pool, o Options) http.Handler {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Text == arena.TextAlias {
		o.Text = arena.TextArena
	}
	message := reflect.TypeFor[Request]()
	if message.Kind() != reflect.Pointer {
		panic("otlphttp: " + message.String() + " is no pointer to a generated message")
	}
	message = message.Elem()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, err := encodingOf(r)
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			err = &Error{Status: http.StatusMethodNotAllowed, Message: "use POST"}
		}
		var response []byte
		if err == nil {
			response, err = serve(in, r, pool, o, reflect.New(message).Interface().(Request), export)
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
func serve[Request, Response proto.Message](in *encoding, r *http.Request, pool *arena.Pool, o Options, request Request, export func(context.Context, Request) (Response, error)) ([]byte, error) {
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
		err = answer(err) // the text may lie in the arena
	}
	a.Free()
	return encoded, err
}

// answer returns a copy of the parts of an error that a client is sent.
func answer(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Status: http.StatusInternalServerError}
	}
	return &Error{Status: e.Status, RetryAfter: e.RetryAfter, Message: strings.Clone(e.Message)}
}

// receive decodes the body of a request into an arena, which it returns.
func (in *encoding) receive(r *http.Request, pool *arena.Pool, o Options, request proto.Message) (*arena.Arena, error) {
	body := buffer()
	defer release(body)
	if err := read(r, body, o.MaxBytes); err != nil {
		return nil, err
	}
	a := pool.Get()
	if err := in.unmarshal(o.Text, a, *body, request); err != nil {
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
	w.WriteHeader(e.status())
	w.Write(in.marshalStatus(code(e.status()), strings.ToValidUTF8(e.Error(), "\ufffd")))
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
