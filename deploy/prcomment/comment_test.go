package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// service stands in for GitHub's API, with comments in pages.
type service struct {
	user     string // answer of /user; "" refuses, as for the token of an app
	comments []comment
	refuse   int   // status of all requests for comments; 0 is none
	foreign  int64 // id of a comment that belongs to another app
	changes  []string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Header.Get("Authorization") != "Bearer secret":
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/user" && s.user == "":
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Path == "/user":
		fmt.Fprint(w, s.user)
	case s.refuse == http.StatusFound:
		http.Redirect(w, r, "https://elsewhere.invalid/", s.refuse)
	case s.refuse != 0:
		w.WriteHeader(s.refuse)
	case r.Method == http.MethodGet:
		var page int
		fmt.Sscan(r.URL.Query().Get("page"), &page)
		first := min((page-1)*pageSize, len(s.comments))
		json.NewEncoder(w).Encode(s.comments[first:min(first+pageSize, len(s.comments))])
	case s.foreign != 0 && strings.HasSuffix(r.URL.Path, fmt.Sprintf("/comments/%d", s.foreign)):
		w.WriteHeader(http.StatusForbidden)
	default:
		s.changes = append(s.changes, r.Method+" "+r.URL.Path)
	}
}

func TestRun(t *testing.T) {
	bot, octocat := account{Login: "github-actions[bot]", Type: "Bot"}, account{Login: "octocat", Type: "User"}
	const marked = "<!-- heapwright: gate -->\r\nold"
	many := slices.Repeat([]comment{{ID: 1, Body: "hello", User: octocat}}, 250)
	const posted, patched = "POST /repos/o/r/issues/7/comments", "PATCH /repos/o/r/issues/comments/5"
	for name, test := range map[string]struct {
		service service
		env     map[string]string
		name    string
		want    string // the change
		says    string
		fails   bool
	}{
		"first":               {want: posted, says: "wrote the comment on pull request 7"},
		"again":               {service: service{comments: []comment{{ID: 5, Body: marked, User: bot}}}, want: patched, says: "updated the comment"},
		"on page 3":           {service: service{comments: append(many[:250:250], comment{ID: 5, Body: marked, User: bot})}, want: patched},
		"another name":        {service: service{comments: []comment{{ID: 5, Body: marked, User: bot}}}, name: "lib/json", want: posted},
		"another's comment":   {service: service{comments: []comment{{ID: 6, Body: marked, User: octocat}, {ID: 5, Body: marked, User: bot}}}, want: patched},
		"another app's":       {service: service{foreign: 6, comments: []comment{{ID: 6, Body: marked, User: bot}}}, want: posted, says: "wrote the comment"},
		"after another app's": {service: service{foreign: 6, comments: []comment{{ID: 6, Body: marked, User: bot}, {ID: 5, Body: marked, User: bot}}}, want: patched, says: "updated the comment"},
		"quoted":              {service: service{comments: []comment{{ID: 6, Body: "> " + marked, User: bot}}}, want: posted},
		"a person's token":    {service: service{user: `{"login":"octocat"}`, comments: []comment{{ID: 6, Body: marked, User: bot}, {ID: 5, Body: marked, User: octocat}}}, want: patched},
		"may not":             {service: service{refuse: http.StatusForbidden}, says: "the token may not comment"},
		"no token":            {env: map[string]string{"GITHUB_TOKEN": ""}, says: "there is none"},
		"bad token":           {env: map[string]string{"GITHUB_TOKEN": "other"}, says: "401"},
		"push":                {env: map[string]string{"GITHUB_REF": "refs/heads/main"}, says: "does not belong to a pull or merge request"},
		"host broken":         {service: service{refuse: http.StatusBadGateway}, says: "comment on pull request 7: GET", fails: true},
		"redirect":            {service: service{refuse: http.StatusFound}, says: "302 Found", fails: true},
		"outside of a job":    {env: map[string]string{"GITHUB_API_URL": ""}, says: "run it in a job", fails: true},
		"name ends a comment": {name: "x --> y", says: `-name "x --> y"`, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(&test.service)
			defer server.Close()
			file := filepath.Join(t.TempDir(), "gate.md")
			if err := os.WriteFile(file, []byte("### new"), 0o644); err != nil {
				t.Fatal(err)
			}
			env := map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "o/r", "GITHUB_REF": "refs/pull/7/merge", "GITHUB_TOKEN": "secret"}
			for name, value := range test.env {
				env[name] = value
			}
			if test.name == "" {
				test.name = "gate"
			}
			var out bytes.Buffer
			err := run(t.Context(), func(name string) string { return env[name] }, &out, test.name, file)
			if said := fmt.Sprint(out.String(), err); (err != nil) != test.fails || !strings.Contains(said, test.says) {
				t.Errorf("%s, want %q, failure %v", said, test.says, test.fails)
			}
			if strings.Contains(fmt.Sprint(out.String(), err), "secret") {
				t.Error("the token is in a message")
			}
			if got := strings.Join(test.service.changes, "\n"); got != test.want {
				t.Errorf("changes %q, want %q", got, test.want)
			}
		})
	}
}
