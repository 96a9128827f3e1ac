package mode

import (
	"slices"
	"testing"
)

func TestDefaultMatrix(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", "module example.org/m\n\ngo 1.20\n")
	writeFile(t, dir, "plain/p.go", "package plain\n")
	writeFile(t, dir, "plain/p_test.go", "package plain\n")
	writeFile(t, dir, "tagged/t.go", "package tagged\n")
	writeFile(t, dir, "tagged/arena_test.go", "//go:build goexperiment.arenas\n\npackage tagged_test\n")
	writeFile(t, dir, "user/u.go", "package user\n\nimport _ \"example.org/m/deep\"\n")
	writeFile(t, dir, "deep/heap.go", "//go:build !goexperiment.arenas\n\npackage deep\n")
	writeFile(t, dir, "deep/arena.go", "//go:build goexperiment.arenas\n\npackage deep\n")
	m := NewMachine(dir)
	local, err := m.Toolchain(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	greenTea, known := local.Experiment("greenteagc")
	other := "nogreenteagc"
	if !greenTea.On {
		other = "greenteagc"
	}
	tests := []struct {
		patterns []string
		arenas   bool
	}{
		{nil, false},
		{[]string{"./plain"}, false},
		{[]string{"./tagged"}, true},
		{[]string{"./user"}, true},
		{[]string{"./..."}, true},
		{[]string{"./nothere"}, false},
	}
	for _, test := range tests {
		modes, err := DefaultMatrix(t.Context(), m, test.patterns)
		if err != nil {
			t.Errorf("%q: %v", test.patterns, err)
			continue
		}
		want := []string{"default"}
		if known && test.patterns != nil {
			want = append(want, other)
		}
		want = append(want, "GOGC=200", "GOGC=400")
		if test.arenas {
			want = append(want, "arenas")
		}
		var got []string
		for _, m := range modes {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", test.patterns, got, want)
		}
	}
}
