package mode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLoad(t *testing.T) {
	text := `baseline = "plain"
[[mode]]
name = "lean"
settings = "GOGC=50+GOMEMLIMIT=256MiB+tags=a,b"
[[mode]]
name = "tuned"
settings = ["GOGC=400", "rev=v1+x", "flags=-race '-gcflags=all=-N -l'"]
[[mode]]
name = "plain"
`
	name := filepath.Join(t.TempDir(), "modes.toml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	modes, err := Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range modes {
		line := m.Name + ":"
		for _, s := range m.Settings {
			line += " " + s.String()
		}
		got = append(got, line)
	}
	want := []string{
		"plain:",
		`lean: GOGC=50 GOMEMLIMIT=256MiB tags="a,b"`,
		`tuned: GOGC=400 rev="v1+x" flags="-race '-gcflags=all=-N -l'"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("Load gives\n%q, want\n%q", got, want)
	}
	if modes[2].Revision() != "v1+x" {
		t.Errorf("Revision() = %q", modes[2].Revision())
	}
}

func TestLoadErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "holds no mode"},
		{"[[mode]]\nname = \"a\"\nsettinks = \"GOGC=50\"", `modes.toml:3: unknown key "mode.settinks": did you mean "settings"?`},
		{"basline = \"a\"\n[[mode]]\nname=\"a\"", `modes.toml:1: unknown key "basline": did you mean "baseline"?`},
		{"[[mode]]\nname=\"a\"\n[[mode]]\nname=\"a\"\nsettings=\"GOGC=50\"", `"a" is there twice`},
		{"[[mode]]\nname=\"a\"\n\n[[mode]]\nname=\"b\"\nsettings=\"GOGC=x\"", `modes.toml:4: mode 2, "b": GOGC=x`},
		{"[[mode]]\nsettings=\"GOGC=50\"", "it has no name"},
		{"[[mode]]\nname=\"GOGC=5\"\nsettings=\"GOGC=50\"", "a name holds no"},
		{"[[mode]]\nname=\"pgo\"\nsettings=\"GOGC=50\"", "choose another name"},
		{"[[mode]]\nname=\"default\"\nsettings=\"GOGC=50\"", "sets nothing"},
		{"[[mode]]\nname=\"a\"\nsettings=7", "settings is 7"},
		{"[[mode]]\nname=\"a\"\nsettings=[7]", "settings holds 7"},
		{"[[mode]]\nname=\"a\"\nsettings={x=1}", "modes.toml:"},
		{"[[mode]]\nname=\"a\"\nsettings=\"\"", "empty setting"},
		{"baseline=\"z\"\n[[mode]]\nname=\"a\"", `modes.toml:1: baseline "z"`},
		{"[[mode]]\nname=1", "modes.toml: line 2 "},
		{"[[mode]]\nname=\"a", "modes.toml:2: "},
	}
	for _, test := range tests {
		name := filepath.Join(t.TempDir(), "modes.toml")
		if err := os.WriteFile(name, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Load(t.Context(), name)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Load(%q): error %v, want one with %q", test.text, err, test.want)
			continue
		}
		if strings.Count(err.Error(), "\n") > 1 {
			t.Errorf("Load(%q): the error has more than two lines: %v", test.text, err)
		}
	}
	if _, err := Load(t.Context(), "nothere.toml"); err == nil || !strings.Contains(err.Error(), "nothere.toml") {
		t.Errorf("Load(nothere.toml): %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("baseline = \"a\"\n[[mode]]\nname = \"a\"\nsettings = [\"GOGC=1\"]")
	f.Add("[[mode]]\nname = \"a\"\nsettinks = 1")
	f.Add("mode = [{name=\"x\", settings=\"arenas+pgo\"}]")
	f.Fuzz(func(t *testing.T, text string) {
		modes, err := readModes(text)
		if err != nil {
			return
		}
		for _, m := range modes {
			if err := checkName(m.Name); err != nil {
				t.Errorf("a mode is named %q: %v", m.Name, err)
			}
		}
	})
}
