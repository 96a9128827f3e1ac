package mode

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		list  string
		names []string
	}{
		{"default", []string{"default"}},
		{"default,GOGC=400", []string{"default", "GOGC=400"}},
		{" default , GOGC=off + arenas ", []string{"default", "GOGC=off+arenas"}},
		{"arenas+nogreenteagc,go1.27.4+GOMEMLIMIT=256MiB", []string{"arenas+nogreenteagc", "go1.27.4+GOMEMLIMIT=256MiB"}},
		{`tags="foo,bar"+pgo,randlayout`, []string{`tags="foo,bar"+pgo`, "randlayout"}},
		{"tags=foo+tags=bar", []string{"tags=foo+tags=bar"}},
		{`rev="v1.0.0+incompatible",rev=main~3`, []string{`rev="v1.0.0+incompatible"`, "rev=main~3"}},
		{"GODEBUG=madvdontneed=1,FOO=", []string{"GODEBUG=madvdontneed=1", "FOO="}},
		{`FOO='a"b',GOAMD64=v3`, []string{`FOO='a"b'`, "GOAMD64=v3"}},
		{`FOO="x y"`, []string{"FOO=x y"}}, // quotes that are not needed are not kept
		{`flags="-race '-gcflags=all=-N -l'"`, []string{`flags="-race '-gcflags=all=-N -l'"`}},
		{"go1.20,go1.27rc1,go1.21.0", []string{"go1.20", "go1.27rc1", "go1.21.0"}},
	}
	for _, test := range tests {
		modes, err := Parse(test.list)
		if err != nil {
			t.Errorf("Parse(%s): %v", test.list, err)
			continue
		}
		var names []string
		for _, m := range modes {
			names = append(names, m.Name)
		}
		if !slices.Equal(names, test.names) {
			t.Errorf("Parse(%s) = %q, want %q", test.list, names, test.names)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ list, want string }{
		{"", "empty setting"},
		{"default,", "empty setting"},
		{"GOGC=200++arenas", "empty setting"},
		{"=400", "name is missing"},
		{"default+GOGC=200", "stands alone"},
		{"GOGC=200+GOGC=400", "GOGC=200 and GOGC=400 both decide GOGC"},
		{"go1.20+go1.27.4", "go1.20 and go1.27.4 both decide the Go version"},
		{"arenas+noarenas", "arenas and noarenas both decide the experiment arenas"},
		{"FOO=1+FOO=2", "FOO=1 and FOO=2 both decide FOO"},
		{"tags=a+tags=a", "both decide"},
		{"GOGC=200,GOGC=200", "there twice"},
		{"GOGC=200+arenas,arenas+GOGC=200", "set the same"},
		{"GOGC=lots", "GOGC=lots"},
		{"GOGC=-1", "or off"},
		{"GOGC=3000000000", "GOGC=3000000000"},
		{"GOGC", "needs a value, as in GOGC=400"},
		{"rev", "needs a value"},
		{"pgo=1", "takes no value"},
		{"GOMEMLIMIT=256MB", "256MiB"},
		{"GOMEMLIMIT=0", "above 0"},
		{"GOMEMLIMIT=9999999TiB", "GOMEMLIMIT=9999999TiB"},
		{"GODEBUG=x", "name=value"},
		{"GOEXPERIMENT=arenas", "write the experiment alone"},
		{"GOTOOLCHAIN=go1.20", "write the version alone"},
		{"GOFLAGS=-race", "flags=-race"},
		{"GOARCH=arm64", "cannot run here"},
		{"gotip", "not a release"},
		{"go1.27.x", "not a release"},
		{"go1.27", "go1.27.0"},
		{"latest", "not a release"},
		{"tags=a b", "not a build tag"},
		{"tags=goexperiment.arenas", "write arenas"},
		{"rev=", "needs a commit"},
		{"flags=", "no flag"},
		{"flags=-o=x", "does not record it"},
		{"flags=-tags=x", "tags=foo"},
		{"flags=race", "not a flag"},
		{`flags="-gcflags=-l -gcflags=-N"`, "twice"},
		{"flags=-ldflags=-randlayout=3", "randlayout"},
		{`flags="'-race"`, "not closed"},
		{`FOO="a`, "do not close"},
		{`FOO="a"b`, "do not close"},
		{"FOO=a\tb", "control character"},
		{"FOO=x#control", "A/A control"},
		{"gogc", `did you mean "GOGC"`},
		{"gogc=400", `did you mean "GOGC=400"`},
		{"GOGCC=400", `did you mean "GOGC=400"`},
		{"GOCG=400", `did you mean "GOGC=400"`},
		{"GOMEMLIMTI=1GiB", `did you mean "GOMEMLIMIT=1GiB"`},
		{"tag=foo", `did you mean "tags=foo"`},
		{"revision=main", `did you mean "rev=main"`},
		{"Default", `did you mean "default"`},
		{"GOGC:400", "unknown setting"},
		{"Frobnicate", `"heapwright modes" lists`},
	}
	for _, test := range tests {
		_, err := Parse(test.list)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Parse(%q): error %v, want one with %q", test.list, err, test.want)
		}
	}
}

// FuzzParse checks that whatever is accepted can be written back: the names
// that reports show are lists that mean the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"default,arenas+GOGC=400", `tags="a,b"+FOO='"'`, "rev=main~3,pgo+randlayout", "go1.27.4+GOMEMLIMIT=1GiB",
		`flags="'-gcflags=all=-N -l' -race"`, "GODEBUG=a=1+GODEBUG=b=2", `FOO="`, "a=+,b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		modes, err := Parse(list)
		if err != nil {
			return
		}
		var names []string
		for _, m := range modes {
			names = append(names, m.Name)
		}
		again, err := Parse(strings.Join(names, ","))
		if err != nil {
			t.Fatalf("Parse(%q) gives %q, which cannot be read: %v", list, names, err)
		}
		if len(again) != len(modes) {
			t.Fatalf("Parse(%q) gives %q, read again as %d modes", list, names, len(again))
		}
		for i, m := range again {
			if m.Name != modes[i].Name || len(m.Settings) != len(modes[i].Settings) {
				t.Errorf("Parse(%q): %q is read again as %q", list, modes[i].Name, m.Name)
			}
		}
	})
}

// A kind that stands behind one which takes its text would never be asked.
func TestEachKindTakesItsOwnSyntax(t *testing.T) {
	for _, k := range kinds {
		text, err := newToken(k.Syntax)
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		for _, first := range kinds {
			setting, err := first.Parse(text)
			if setting == nil && err == nil {
				continue
			}
			if first.Name != k.Name {
				t.Errorf("%s is taken by the kind %q, not by %q", text, first.Name, k.Name)
			}
			break
		}
	}
}
