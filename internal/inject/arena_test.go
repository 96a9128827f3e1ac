package inject

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A changed file that imports package arena gets one beneath its module, and the module no
// requirement that nobody could meet.
func TestLayArena(t *testing.T) {
	root := filepath.FromSlash("/m")
	mod := filepath.Join(root, "go.mod")
	read := func(file string) ([]byte, error) {
		if file == mod {
			return []byte("module example.org/m\n\ngo 1.26\n"), nil
		}
		return nil, fs.ErrNotExist
	}
	file, other := filepath.Join(root, "x", "x.go"), filepath.Join(root, "y.go")
	texts := map[string][]byte{
		file:  []byte("package x\n\nimport \"" + ArenaModule + "\"\n\nvar pool arena.Pool\n"),
		other: []byte("package m\n"),
		mod:   []byte("module example.org/m\n\ngo 1.26\n\nrequire " + ArenaModule + " " + ArenaVersion + "\n"),
	}
	if !UsesArena(texts) {
		t.Error("the change does not use package arena")
	}
	if err := LayArena(texts, read); err != nil {
		t.Fatal(err)
	}
	if got := string(texts[file]); !strings.Contains(got, `"example.org/m/internal/heapwright/arena"`) {
		t.Errorf("%s", got)
	}
	if got := string(texts[mod]); strings.Contains(got, "require") {
		t.Errorf("%s", got)
	}
	laid := filepath.Join(root, "internal", "heapwright", "arena", "core.go")
	if got := string(texts[laid]); !strings.Contains(got, `"example.org/m/internal/heapwright/arena/internal/memory"`) {
		t.Errorf("%s: %s", laid, got)
	}
	if string(texts[other]) != "package m\n" {
		t.Errorf("%s", texts[other])
	}
	delete(texts, mod)
	lost := map[string][]byte{filepath.FromSlash("/n/x.go"): []byte("package x\n\nimport \"" + ArenaModule + "\"\n")}
	if err := LayArena(lost, read); err == nil || !strings.Contains(err.Error(), "is in no module") {
		t.Errorf("%v", err)
	}
}
