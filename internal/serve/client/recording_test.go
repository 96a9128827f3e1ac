package client

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// recording holds the answers of a Pyroscope to TestContract. As a handler it gives them
// again, or asks the server and keeps its answers.
type recording struct {
	From    int64             // the time of the first profile, in seconds since 1970
	Answers map[string]answer // by request

	at string // the server to ask
	mu sync.Mutex
}

type answer struct {
	Status int
	Type   string
	Body   []byte
}

const recorded = "pyroscope.json"

func readRecording(t *testing.T) *recording {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", recorded))
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{}
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *recording) write(t *testing.T) {
	t.Helper()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", recorded), append(data, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
}

// instance finds the process of a push, whose profile and ID are never the same twice.
var instance = regexp.MustCompile(`instance\x12.([a-z]+)`)

// unreadable are the bytes of a message that separate its texts and numbers.
var unreadable = regexp.MustCompile(`[^ -~]`)

// name returns the text of a request that is the same each time, also in JSON.
func name(path string, body []byte) string {
	if found := instance.FindSubmatch(body); found != nil && filepath.Base(path) == "Push" {
		return path + " " + string(found[1])
	}
	text := unreadable.ReplaceAllFunc(body, func(b []byte) []byte { return []byte(hex(b[0])) })
	return path + " " + string(text)
}

func hex(b byte) string {
	const digits = "0123456789abcdef"
	return `\` + digits[b>>4:b>>4+1] + digits[b&15:b&15+1]
}

func (r *recording) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	name := name(req.URL.Path, body)
	r.mu.Lock()
	given, ok := r.Answers[name]
	r.mu.Unlock()
	if r.at != "" {
		if given, ok = r.ask(req, body); ok {
			r.mu.Lock()
			if r.Answers == nil {
				r.Answers = map[string]answer{}
			}
			r.Answers[name] = given
			r.mu.Unlock()
		}
	}
	if !ok {
		http.Error(w, "no answer is recorded for "+name, http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", given.Type)
	w.WriteHeader(given.Status)
	w.Write(given.Body)
}

func (r *recording) ask(req *http.Request, body []byte) (answer, bool) {
	out, err := http.NewRequestWithContext(req.Context(), req.Method, r.at+req.URL.Path, bytes.NewReader(body))
	if err != nil {
		return answer{}, false
	}
	for _, header := range []string{"Content-Type", "Connect-Protocol-Version"} {
		out.Header.Set(header, req.Header.Get(header))
	}
	resp, err := http.DefaultClient.Do(out)
	if err != nil {
		return answer{}, false
	}
	defer resp.Body.Close()
	given, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header.Get("Content-Type"), given}, err == nil
}
