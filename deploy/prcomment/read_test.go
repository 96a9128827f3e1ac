package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that the code of the request could have made publishes nothing of the job.
func TestRunForeignFile(t *testing.T) {
	const secret = "TOKEN=secret"
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"environ": secret, "large": strings.Repeat("a", maxFile+1)} {
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"link": "environ", "chain": "link", "dangling": "gone"} {
		if err := os.Symlink(target, path(name)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]string{
		"link":     "is a link",
		"chain":    "is a link",
		"dangling": "is a link",
		"":         "is a link, a folder",
		"large":    "is larger than",
	} {
		t.Run(name, func(t *testing.T) {
			var service service
			server := httptest.NewServer(&service)
			defer server.Close()
			env := map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "o/r", "GITHUB_REF": "refs/pull/7/merge", "GITHUB_TOKEN": "secret"}
			var out bytes.Buffer
			err := run(t.Context(), func(name string) string { return env[name] }, &out, "gate", path(name))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
			if len(service.changes) > 0 {
				t.Errorf("changes %q", service.changes)
			}
		})
	}
}
