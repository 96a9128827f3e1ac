package heapwright

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

var lag = flag.Bool("lag", false, "compare direct dependencies with their latest releases, which asks the module proxy")

// Direct dependencies are at their latest releases. A comment above or beside the
// requirement in go.mod says why one stays behind.
func TestDependencyLag(t *testing.T) {
	if !*lag {
		t.Skip("asks the module proxy: run with -lag")
	}
	type requirement struct{ file, version, reason string }
	required := map[string][]requirement{}
	for _, s := range sources(t, func(s source) bool { return path.Base(s.path) == "go.mod" }) {
		mod, err := modfile.Parse(s.path, []byte(s.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range mod.Require {
			if p := r.Mod.Path; !r.Indirect && !strings.HasPrefix(p+"/", module+"/") {
				var reason string
				for _, c := range slices.Concat(r.Syntax.Before, r.Syntax.Suffix) {
					reason += c.Token
				}
				required[p] = append(required[p], requirement{s.path, r.Mod.Version, reason})
			}
		}
	}
	newest := latest(t, slices.Sorted(maps.Keys(required)))
	for _, p := range slices.Sorted(maps.Keys(required)) {
		for _, r := range required[p] {
			switch {
			case semver.Compare(r.version, newest[p].Version) >= 0:
			case r.reason != "":
				t.Logf("%s: %s %s stays behind %s: %s", r.file, p, r.version, newest[p].Version, r.reason)
			default:
				t.Errorf("%s: %s is at %s, the latest release is %s of %s", r.file, p, r.version, newest[p].Version, newest[p].Time.Format(time.DateOnly))
			}
		}
	}
}

type release struct {
	Path, Version string
	Time          time.Time
	Error         *struct{ Err string }
}

// latest asks for the latest release of each module.
func latest(t *testing.T, paths []string) map[string]release {
	args := []string{"list", "-m", "-e", "-json"}
	for _, p := range paths {
		args = append(args, p+"@latest")
	}
	list := exec.Command("go", args...)
	list.Dir, list.Env, list.Stderr = t.TempDir(), append(os.Environ(), "GOWORK=off", "GOFLAGS="), os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]release{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var r release
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
		if r.Error != nil {
			t.Errorf("%s: %s", r.Path, r.Error.Err)
		}
		found[r.Path] = r
	}
}
