package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The example of each key is a value that the reader takes.
func TestExamples(t *testing.T) {
	file := filepath.Join(t.TempDir(), Name)
	var text strings.Builder
	for _, k := range Keys {
		text.WriteString(k.Name + " = " + k.Example + "\n")
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	settings, err := Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range Keys {
		if len(settings) != len(Keys) || settings[i].Name != k.Name {
			t.Fatalf("%d settings of %d keys; %q is missing", len(settings), len(Keys), k.Name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("version = 1\n[target]\nmain = \"./cmd\"\n")
	f.Add("a.b.c = 1\n[[target]]\n[load]\nrate = nan\n")
	f.Add("[budget.\"B/op\"]\ngrow = \"3%\"\n")
	file := filepath.Join(f.TempDir(), Name)
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		settings, err := Read(t.Context(), file)
		if err == nil {
			for _, s := range settings {
				if position(s.Name) < 0 {
					t.Errorf("setting %q is no key", s.Name)
				}
			}
		} else if !strings.HasPrefix(err.Error(), file+":") {
			t.Errorf("%v: does not begin with the file", err)
		}
	})
}
