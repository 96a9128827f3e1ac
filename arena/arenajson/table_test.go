package arenajson

import (
	"bytes"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	hooks = `package json

// Unmarshal is that of arenajson. It serves Decoder.Decode too.
var Unmarshal func(data []byte, v any) error

func decode(d *decodeState, v any) error {
	if d.useNumber || d.disallowUnknownFields {
		return d.unmarshal(v)
	}
	return Unmarshal(d.data, v)
}
`
	setHooks = `package json_test

import (
	"testing"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenajson/table/arenajson"
	"github.com/heapwright/heapwright/arena/arenajson/table/json"
)

func TestMain(m *testing.M) {
	json.Unmarshal = func(data []byte, v any) error {
		return arenajson.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(arena.NewArena(), data, v)
	}
	m.Run()
}
`
	module = "module github.com/heapwright/heapwright/arena/arenajson/table\n\ngo 1.26\n\n" +
		"require github.com/heapwright/heapwright/arena v0.1.0\n\nreplace github.com/heapwright/heapwright/arena => "
)

// TestStandardTable runs the tests that the Go distribution has for encoding/json on a
// copy of that package whose Unmarshal is the one of this package. A copy of this
// package uses the types and the original Unmarshal of the copy.
func TestStandardTable(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of encoding/json")
	}
	dir := t.TempDir()
	arena, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/heapwright/heapwright/arena").Output()
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", module+filepath.ToSlash(string(arena)))
	write("json/hooks.go", hooks)
	write("json/hooks_test.go", setHooks)
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range own {
		if !strings.HasSuffix(name, "_test.go") {
			write(filepath.Join("arenajson", name), replaced(t, name,
				`"encoding/json"`, `"github.com/heapwright/heapwright/arena/arenajson/table/json"`, "json.Unmarshal(", "json.Original("))
		}
	}
	std, err := build.Import("encoding/json", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(std.GoFiles, "decode.go") {
		t.Skip("encoding/json is built on version 2, which has internal packages")
	}
	for _, name := range append(std.GoFiles, std.TestGoFiles...) {
		switch name {
		case "decode.go":
			write("json/decode.go", replaced(t, filepath.Join(std.Dir, name), "\nfunc Unmarshal(", "\nfunc Original("))
		case "stream.go":
			write("json/stream.go", replaced(t, filepath.Join(std.Dir, name), "dec.d.unmarshal(v)", "decode(&dec.d, v)"))
		default:
			text, err := os.ReadFile(filepath.Join(std.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(text, []byte(`"internal/`)) {
				write(filepath.Join("json", name), string(text))
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-v", "./json")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{"--- PASS: TestUnmarshal ", "--- PASS: TestPrefilled ", "--- PASS: TestUnmarshalEmbeddedUnexported "} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in the output", want)
		}
	}
}

// replaced returns a file with old texts replaced, each of which must be there.
func replaced(t *testing.T, file string, oldnew ...string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(oldnew...).Replace(string(text))
}
