package survey

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Kept answers are read in the order of the table; a module without one is passed over.
func TestAgain(t *testing.T) {
	s := &Survey{only: "^[a-c]$", Out: t.TempDir(), Again: true}
	for _, name := range []string{"b", "a"} {
		dir := filepath.Join(s.Out, name)
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"kept.json": `{"Mark": {"Commit": "1"}, "Took": 2}`, "tune.json": `"of ` + name + `"`} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	type module struct{ Module string }
	var got []string
	err := Each(t.Context(), s, "[b]\nmodule = \"m\"\n[c]\n[a]\n[other]\n", func(name string, m *module) error {
		a, said, err := Ask[string](t.Context(), s, name, m.Module, "tune")
		if err == nil {
			got = append(got, m.Module+said+a.Mark.Commit)
		}
		return err
	})
	if want := []string{"mof b1", "of a1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}
