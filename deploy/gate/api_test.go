package gate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Tokens that the stand-in knows: of an app that may comment, and of a job for a
// fork, which may only read.
const (
	writeToken = "may-write"
	readToken  = "may-read"
)

// api stands in for the comment APIs of GitHub and GitLab, which a test cannot
// reach. It keeps comments and records requests.
type api struct {
	server   *httptest.Server
	mu       sync.Mutex
	comments []string // by id, from 1
	requests []string // that changed or tried to change something: "POST /path 201"
}

func newAPI(t *testing.T) *api {
	a := &api{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /user", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Resource not accessible by integration", http.StatusForbidden)
	})
	mux.HandleFunc("GET /api/v4/user", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"username":"project_1_bot"}`)
	})
	for _, path := range []string{"/repos/o/r/issues/1/comments", "/api/v4/projects/1/merge_requests/1/notes"} {
		mux.HandleFunc("GET "+path, a.list)
		mux.HandleFunc("POST "+path, a.write)
	}
	mux.HandleFunc("PATCH /repos/o/r/issues/comments/{id}", a.write)
	mux.HandleFunc("PUT /api/v4/projects/1/merge_requests/1/notes/{id}", a.write)
	a.server = httptest.NewServer(mux)
	t.Cleanup(a.server.Close)
	return a
}

func (a *api) list(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := []map[string]any{}
	for i, body := range a.comments {
		c := map[string]any{"id": i + 1, "body": body}
		if strings.HasPrefix(r.URL.Path, "/api/v4/") {
			c["author"] = map[string]string{"username": "project_1_bot"}
		} else {
			c["user"] = map[string]string{"login": "github-actions[bot]", "type": "Bot"}
		}
		all = append(all, c)
	}
	json.NewEncoder(w).Encode(all)
}

func (a *api) write(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var sent struct{ Body string }
	status := http.StatusCreated
	switch err := json.NewDecoder(r.Body).Decode(&sent); {
	case err != nil:
		status = http.StatusBadRequest
	case r.Header.Get("Authorization") != "Bearer "+writeToken && r.Header.Get("PRIVATE-TOKEN") != writeToken:
		status = http.StatusForbidden
	case r.Method == http.MethodPost:
		a.comments = append(a.comments, sent.Body)
	default:
		status = http.StatusOK
		var id int
		fmt.Sscan(r.PathValue("id"), &id)
		a.comments[id-1] = sent.Body
	}
	a.requests = append(a.requests, fmt.Sprintf("%s %s %d", r.Method, r.URL.Path, status))
	w.WriteHeader(status)
	fmt.Fprint(w, "{}")
}

// expect compares the requests so far, and checks that the only comment has the words.
func (a *api) expect(t *testing.T, words string, requests ...string) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if got, want := strings.Join(a.requests, "\n"), strings.Join(requests, "\n"); got != want {
		t.Errorf("requests:\n%s\nwant:\n%s", got, want)
	}
	if len(a.comments) != 1 || !strings.Contains(a.comments[0], words) {
		t.Errorf("comments %q: want one with %q", a.comments, words)
	}
}
