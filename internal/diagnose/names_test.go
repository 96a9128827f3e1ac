package diagnose

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
)

func TestFileNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module ex.com/x\n\ngo 1.24\n", "a/a.go": "package a\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, err := source.Open(t.Context(), source.Options{Dir: filepath.Join(dir, "a")})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ function, file, want string }{
		{"ex.com/x/a.F", filepath.Join(dir, "a", "a.go"), "a/a.go"},
		{"ex.com/x/a.F", "/build/elsewhere/a/a.go", "a/a.go"},
		{"ex.com/x/a.F", "ex.com/x/a/a.go", "a/a.go"}, // -trimpath
		{"net/http.(*conn).serve", "/opt/go/src/net/http/server.go", "std/net/http/server.go"},
		{"net/http.(*conn).serve", "net/http/server.go", "std/net/http/server.go"},
		{"github.com/BurntSushi/toml.Parse", "/home/gopher/go/pkg/mod/github.com/!burnt!sushi/toml@v1.2.3/parse.go", "github.com/BurntSushi/toml@v1.2.3/parse.go"},
		{"golang.org/x/net/html.Parse", "/cache/golang.org/x/net@v0.1.0/html/parse.go", "golang.org/x/net@v0.1.0/html/parse.go"},
		{"golang.org/x/net/html.Parse", "golang.org/x/net@v0.1.0/html/parse.go", "golang.org/x/net@v0.1.0/html/parse.go"},
		{"example.org/other.F", "/src/other/f.go", "/src/other/f.go"},
		{"", "", ""},
	} {
		d := &Document{Sites: []Place{{Frame: evidence.Frame{Function: test.function, File: test.file, Line: 3}}},
			Findings: []rules.Finding{{Function: test.function, File: test.file, Others: []rules.Finding{{Function: test.function, File: test.file}}}}}
		d.relative(filepath.Join(dir, "a"), x)
		for _, got := range []string{d.Sites[0].File, d.Findings[0].File, d.Findings[0].Others[0].File} {
			if got != test.want {
				t.Errorf("%s is called %s, want %s", test.file, got, test.want)
			}
		}
	}
}
