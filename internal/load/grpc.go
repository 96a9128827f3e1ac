package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// GRPC names a unary method of a gRPC server and its messages. They are encoded
// before the load begins; during it they are bytes.
//
// The calls are paced by vegeta as HTTP requests are, so that a latency means
// the same. The library of ghz was tried and left out: it contains xDS and with
// it clients of a cloud, which adds 33 MB and 44 more modules to heapwright
// where this adds 9 MB, and its latencies count from when a call began.
type GRPC struct {
	Method string `json:"method"`          // package.Service/Method
	Proto  string `json:"proto,omitempty"` // file that describes it; "" asks the server by reflection
	Data   string `json:"data,omitempty"`  // file with a message as JSON, or an array of them; "" is one empty message
}

// method is a GRPC that was read.
type method struct {
	service, name string
	messages      []json.RawMessage
	described     protoreflect.MethodDescriptor // nil: the server will be asked
}

func (g *GRPC) read(ctx context.Context, dir string) (*method, error) {
	service, name, ok := strings.Cut(strings.TrimPrefix(g.Method, "/"), "/")
	if !ok || service == "" || name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("%q is no gRPC method; write it as package.Service/Method", g.Method)
	}
	m := &method{service: service, name: name, messages: []json.RawMessage{[]byte("{}")}}
	if g.Data != "" {
		data, err := read(ctx, dir, g.Data, "the messages of calls")
		if err != nil {
			return nil, err
		}
		if m.messages, err = splitMessages(data); err != nil {
			return nil, fmt.Errorf("%s: %w; give one message as JSON, or an array of them", g.Data, err)
		}
	}
	if g.Proto == "" {
		return m, nil
	}
	var err error
	if m.described, err = describedBy(ctx, under(dir, g.Proto), dir, m); err != nil {
		return nil, err
	}
	_, err = m.encode(m.described)
	return m, err
}

func splitMessages(data []byte) ([]json.RawMessage, error) {
	all := []json.RawMessage{data}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		if err := json.Unmarshal(data, &all); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, errors.New("an empty array")
	}
	for i, m := range all {
		if err := json.Unmarshal(m, new(map[string]any)); err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	return all, nil
}

func (m *method) String() string { return m.service + "/" + m.name }

// encode encodes the messages for the wire.
func (m *method) encode(d protoreflect.MethodDescriptor) ([][]byte, error) {
	if d.IsStreamingClient() || d.IsStreamingServer() {
		return nil, fmt.Errorf("%s is a stream; only unary methods can be loaded", m)
	}
	var all [][]byte
	for i, text := range m.messages {
		message := dynamicpb.NewMessage(d.Input())
		if err := protojson.Unmarshal(text, message); err != nil {
			return nil, fmt.Errorf("message %d for %s: %w", i+1, m, err)
		}
		data, err := proto.Marshal(message)
		if err != nil {
			return nil, fmt.Errorf("message %d for %s: %w", i+1, m, err)
		}
		all = append(all, data)
	}
	return all, nil
}

// CallError says that the server is there and cannot be called like this. To
// ask again changes nothing.
type CallError struct{ err error }

func (e *CallError) Error() string { return e.err.Error() }
func (e *CallError) Unwrap() error { return e.err }

func (r *Requests) openGRPC(ctx context.Context, address string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	calls, err := dial(u)
	if err != nil {
		return nil, err
	}
	described := r.method.described
	if described == nil {
		described, err = describedByServer(ctx, calls.conns[0], r.method)
	}
	var messages [][]byte
	if err == nil {
		if messages, err = r.method.encode(described); err != nil {
			err = &CallError{err}
		}
	}
	if err != nil {
		calls.close()
		return nil, err
	}
	c := &Client{transport: calls, close: calls.close}
	to := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/" + r.method.String()}
	for _, m := range messages {
		c.targets = append(c.targets, vegeta.Target{Method: http.MethodPost, URL: to.String(),
			Body: m, Header: r.header})
	}
	return c, nil
}
