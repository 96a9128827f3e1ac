package mode

import (
	"go/version"
	"os"
	"slices"
	"testing"
)

func TestExperimentsOfThisToolchain(t *testing.T) {
	m := newMachine(t.TempDir(), append(os.Environ(), "GOEXPERIMENT=bogus"))
	local, err := m.Toolchain(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	arenas, ok := local.Experiment("arenas")
	if !ok || arenas.On || !arenas.Memory || arenas.Doc == "" {
		t.Errorf("arenas: %+v, %v", arenas, ok)
	}
	if loopvar, ok := local.Experiment("loopvar"); ok && loopvar.Memory {
		t.Error("loopvar is taken to be about memory")
	}
	// Green Tea came with Go 1.25 as an experiment and is the default from
	// Go 1.26 on.
	greenTea, ok := local.Experiment("greenteagc")
	if ok && greenTea.On != (version.Compare(local.Version, "go1.26") >= 0) {
		t.Errorf("greenteagc on %s: %+v", local.Version, greenTea)
	}
	names := godebugNames(local)
	for _, name := range []string{"madvdontneed", "gctrace", "netdns", "memprofilerate"} {
		if !slices.Contains(names, name) {
			t.Errorf("GODEBUG=%s is not found in the source of %s", name, local.Version)
		}
	}
	again, err := m.Toolchain(t.Context(), local.pin)
	if err != nil || again != local {
		t.Errorf("%s is looked up twice (%v)", local.pin, err)
	}
}

func TestList(t *testing.T) {
	m := newMachine(t.TempDir(), append(os.Environ(), "GOPROXY=off"))
	list, err := List(t.Context(), m, "")
	if err != nil {
		t.Fatal(err)
	}
	find := func(syntax string) Available {
		t.Helper()
		i := slices.IndexFunc(list, func(a Available) bool { return a.Syntax == syntax })
		if i < 0 {
			t.Fatalf("%s is not listed", syntax)
		}
		return list[i]
	}
	for _, syntax := range []string{"GOGC=400", "arenas", "pgo"} {
		if a := find(syntax); !a.Available || a.Doc == "" || a.Kind == "" {
			t.Errorf("%+v", a)
		}
	}
	for _, syntax := range []string{"rev=HEAD~1", "go1.N.P"} { // no repository, no proxy
		if a := find(syntax); a.Available || a.Why == "" {
			t.Errorf("%+v", a)
		}
	}
	for _, a := range list { // every example must be right
		if a.Syntax == "go1.N.P" || a.Syntax == patchKind.Syntax { // there is no such release, no such file
			continue
		}
		modes, err := Parse(a.Syntax)
		if err != nil {
			t.Errorf("%s is listed and cannot be read: %v", a.Syntax, err)
			continue
		}
		if _, err := modes[0].Resolve(t.Context(), m); a.Available && a.Kind != "Go version" && err != nil {
			t.Errorf("%s is listed as available: %v", a.Syntax, err)
		}
	}
}

func TestSplitVersion(t *testing.T) {
	tests := []struct {
		version    string
		want       string
		experiment []string
	}{
		{"go1.26.8", "go1.26.8", nil},
		{"go1.26.8-X:arenas,nogreenteagc", "go1.26.8", []string{"arenas", "nogreenteagc"}},
		{"go1.25.0 X:arenas", "go1.25.0", []string{"arenas"}},
		{"devel go1.28-abcdef Thu X:simd", "devel go1.28-abcdef Thu", []string{"simd"}},
		{"go1.20", "go1.20", nil},
		{"", "", nil},
	}
	for _, test := range tests {
		got, experiments := SplitVersion(test.version)
		if got != test.want || !slices.Equal(experiments, test.experiment) {
			t.Errorf("SplitVersion(%q) = %q, %q", test.version, got, experiments)
		}
	}
}
