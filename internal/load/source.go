package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/heapwright/heapwright/internal/input"
)

// Port is replaced by the port of a run wherever it stands: in URLs, in a list
// of requests, in the arguments and the environment of a server.
const Port = "{port}"

// Source is where requests come from: one URL, or a list in a file. Files are
// named relative to a folder that Read gets.
type Source struct {
	URL     string `json:"url,omitempty"`
	Method  string `json:"method,omitempty"`  // "" is GET, or POST with a body
	Body    string `json:"body,omitempty"`    // file, sent with each request that has no body of its own
	Headers string `json:"headers,omitempty"` // file with lines "Name: value", sent with each request
	List    string `json:"list,omitempty"`    // file in one of vegeta's formats, instead of URL and Method

	GRPC *GRPC `json:"grpc,omitempty"` // the URL leads to a gRPC server
}

// Requests are sent one after the other and again from the first, to whatever port
// the server has.
type Requests struct {
	source Source
	list   string // text of the list
	body   []byte
	header http.Header
	method *method // the gRPC method, where a file describes it
}

// Read reads and checks all that the source names. The context ends waiting for pipes.
func (s Source) Read(ctx context.Context, dir string) (*Requests, error) {
	r := &Requests{source: s}
	switch {
	case s.URL == "" && s.List == "":
		return nil, errors.New("no requests; give a URL or a list of requests")
	case s.List != "" && (s.URL != "" || s.Method != ""):
		return nil, errors.New("a list of requests has URLs and methods of its own; give either")
	case s.List != "" && s.GRPC != nil:
		return nil, errors.New("a list of requests is for HTTP; for gRPC give several messages in the data file")
	}
	var err error
	if s.Body != "" {
		if r.body, err = read(ctx, dir, s.Body, "the body of requests"); err != nil {
			return nil, err
		}
	}
	if s.Headers != "" {
		if r.header, err = readHeaders(ctx, dir, s.Headers); err != nil {
			return nil, err
		}
	}
	if s.List != "" {
		text, err := read(ctx, dir, s.List, "the list of requests")
		if err != nil {
			return nil, err
		}
		if r.list, err = bodiesIn(dir, string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", s.List, err)
		}
	}
	if s.GRPC != nil {
		if r.method, err = s.GRPC.read(ctx, dir); err != nil {
			return nil, err
		}
	}
	_, err = r.targets(1) // any port, to see that they can be sent
	return r, err
}

// maxFile bounds a list of requests, the body of one, and a description of services,
// in bytes.
const maxFile = 256 << 20

func read(ctx context.Context, dir, name, what string) ([]byte, error) {
	data, err := input.ReadFile(ctx, under(dir, name), maxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return data, nil
}

func under(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// bodyLine names the file with a request's body in a list, as vegeta has it.
var bodyLine = regexp.MustCompile(`(?m)^@(.+)$`)

// bodiesIn names the bodies' files as seen from here. Vegeta reads them whole,
// again for each client, so each must be a regular file of a bounded size.
func bodiesIn(dir, list string) (text string, err error) {
	text = bodyLine.ReplaceAllStringFunc(list, func(line string) string {
		name := under(dir, strings.TrimSpace(line[1:]))
		if err == nil {
			err = input.CheckFile(name, maxFile)
		}
		return "@" + name
	})
	return text, err
}

func readHeaders(ctx context.Context, dir, name string) (http.Header, error) {
	data, err := read(ctx, dir, name, "the headers of requests")
	if err != nil {
		return nil, err
	}
	header, n := http.Header{}, 0
	for line := range strings.Lines(string(data)) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); !ok || key == "" || strings.ContainsAny(key, " \t") {
			return nil, fmt.Errorf("%s:%d: %q is no header; write it as Name: value", name, n, line)
		}
		header.Add(key, strings.TrimSpace(value))
	}
	return header, nil
}

// targets makes the requests for a port.
func (r *Requests) targets(port int) ([]vegeta.Target, error) {
	put := func(text string) string { return strings.ReplaceAll(text, Port, strconv.Itoa(port)) }
	s := r.source
	if s.List == "" {
		address := put(s.URL)
		if err := CheckURL(address); err != nil {
			return nil, err
		}
		method := s.Method
		if method == "" {
			method = http.MethodGet
			if r.body != nil {
				method = http.MethodPost
			}
		}
		return []vegeta.Target{{Method: method, URL: address, Body: r.body, Header: r.header}}, nil
	}
	text := put(r.list)
	targeter := vegeta.NewHTTPTargeter(strings.NewReader(text), r.body, r.header)
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		// Its reader drops a last line that has no end.
		targeter = vegeta.NewJSONTargeter(strings.NewReader(text+"\n"), r.body, r.header)
	}
	all, err := vegeta.ReadAllTargets(targeter)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; write it in vegeta's format http or json", s.List, err)
	}
	for i, t := range all {
		if err := CheckURL(t.URL); err != nil {
			return nil, fmt.Errorf("%s: request %d: %w", s.List, i+1, err)
		}
	}
	return all, nil
}

// CheckURL returns the fault of a server's URL. Port may stand in it.
func CheckURL(address string) error {
	u, err := url.Parse(strings.ReplaceAll(address, Port, "1"))
	switch {
	case err != nil:
		return fmt.Errorf("%w; write it as http://127.0.0.1:8080/path", err)
	case u.Scheme == "grpc" || u.Scheme == "grpcs":
		return fmt.Errorf(
			"%q: a gRPC method is named apart from the URL; give http://%s and -load grpc=package.Service/Method",
			address, u.Host)
	case (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "":
		return fmt.Errorf("%q is no URL of a server; write it as http://127.0.0.1:8080/path", address)
	}
	return nil
}

// Address returns the host and port that the first request goes to.
func (r *Requests) Address(port int) string {
	targets, err := r.targets(port)
	if err != nil {
		return ""
	}
	u, _ := url.Parse(targets[0].URL) // parsed before
	switch {
	case u.Port() != "":
		return u.Host
	case u.Scheme == "https":
		return net.JoinHostPort(u.Hostname(), "443")
	}
	return net.JoinHostPort(u.Hostname(), "80")
}

// TakesAnyPort reports whether the port is chosen again for every run.
func (r *Requests) TakesAnyPort() bool {
	return strings.Contains(r.source.URL+r.list, Port)
}

// Open makes a client for the server at a port. For gRPC without a description
// in a file it asks the server, which must be ready for that.
func (r *Requests) Open(ctx context.Context, port int) (*Client, error) {
	targets, err := r.targets(port)
	if err != nil {
		return nil, err
	}
	if r.source.GRPC != nil {
		return r.openGRPC(ctx, targets[0].URL)
	}
	transport := &http.Transport{
		MaxIdleConnsPerHost: maxWorkers, // a storm's connections are kept for the next
		DisableCompression:  true,       // the server compresses only if the requests ask for it
		ForceAttemptHTTP2:   true,
	}
	return &Client{targets: targets, transport: transport, close: transport.CloseIdleConnections}, nil
}
