package profile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTotalsEqualPprof holds totals and the figures of every function against
// those of go tool pprof -top, for every kind of profile that Go writes.
func TestTotalsEqualPprof(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	for kind, file := range realProfiles() {
		if kind == "threadcreate" {
			continue // its samples say little and a run of pprof takes long
		}
		name := filepath.Join(t.TempDir(), kind)
		if err := os.WriteFile(name, file, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for column, st := range p.SampleTypes {
			t.Run(kind+"/"+st.Type, func(t *testing.T) {
				wantTotal, want := pprofTop(t, name, st)
				if got := p.Total(column); got != wantTotal {
					t.Errorf("total %d, want %d", got, wantTotal)
				}
				got := map[string]Group{}
				for _, g := range p.Group(column) {
					if g.Cum != 0 {
						got[g.Name] = g
					}
				}
				for _, w := range want {
					if got[w.Name] != w {
						t.Errorf("got %+v, want %+v", got[w.Name], w)
					}
				}
				if len(got) != len(want) {
					t.Errorf("%d functions, want %d", len(got), len(want))
				}
			})
		}
	}
}

// pprofTop returns the output of go tool pprof -top for one sample type, untrimmed.
func pprofTop(t *testing.T, file string, st ValueType) (total int64, groups []Group) {
	t.Helper()
	unit := map[string]string{"bytes": "B", "nanoseconds": "ns", "count": "count"}[st.Unit]
	out, err := exec.Command("go", "tool", "pprof", "-symbolize=none", "-top", "-sample_index="+st.Type, "-unit="+unit,
		"-nodecount=1000000", "-nodefraction=0", "-edgefraction=0", "-trim=false", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) int64 {
		n, err := strconv.ParseInt(strings.TrimSuffix(s, unit), 10, 64)
		if err != nil {
			t.Fatalf("%v in:\n%s", err, out)
		}
		return n
	}
	table := false
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		switch {
		case table && len(f) >= 6:
			name := strings.TrimSuffix(strings.Join(f[5:], " "), " (inline)")
			name = strings.TrimSuffix(name, " (partial-inline)")
			groups = append(groups, Group{name, number(f[0]), number(f[3])})
		case strings.Contains(line, "% of ") && strings.HasSuffix(line, " total\n"):
			total = number(f[len(f)-2])
		case len(f) == 5 && f[0] == "flat":
			table = true
		}
	}
	return total, groups
}

func TestGroup(t *testing.T) {
	p := decodeRaw(t, rawOf(t, full()))
	var got []string
	for _, g := range p.Group(1) {
		got = append(got, fmt.Sprintf("%s %d %d", g.Name, g.Flat, g.Cum))
	}
	sum := int64(-1 + 5 - 1<<63 + 0)
	want := []string{fmt.Sprintf("main.f %d %d", sum, sum), fmt.Sprintf("<script>\x1b[31m\n 0 %d", sum), fmt.Sprintf("<unknown> 0 %d", sum)}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPackageOf(t *testing.T) {
	for name, want := range map[string]string{
		"main.main.func1":                          "main",
		"net/http.(*conn).serve":                   "net/http",
		"gopkg.in/x%2ey%2ev1.(*T).M[go.shape.int]": "gopkg.in/x.y.v1",
		"a/b.F[example.com/c.T·1]":                 "a/b",
		"type:.eq.[2]interface {}":                 "type:",
		"github.com/x/y.Z.W":                       "github.com/x/y",
		"printf":                                   "printf",
		"":                                         "",
		"runtime.gcBgMarkWorker":                   "runtime",
		"vendor/golang.org/x/net/http2/hpack.(*T).F": "vendor/golang.org/x/net/http2/hpack",
	} {
		if got := PackageOf(name); got != want {
			t.Errorf("PackageOf(%q) = %q, want %q", name, got, want)
		}
	}
}
