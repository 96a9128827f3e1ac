package mode

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// resolve parses and resolves one mode.
func resolve(t *testing.T, m *Machine, text string) (Config, error) {
	t.Helper()
	modes, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return modes[0].Resolve(t.Context(), m)
}

func TestResolve(t *testing.T) {
	m := newMachine(t.TempDir(), append(os.Environ(), "GOFLAGS="))
	local, err := m.Toolchain(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		mode        string
		build       []string // of BuildSettings, beyond the toolchain
		flags, run  []string
		part, noted string
	}{
		{mode: "default"},
		{mode: "GOGC=off+GOMEMLIMIT=1GiB", run: []string{"GOGC=off", "GOMEMLIMIT=1GiB"}},
		{mode: "GODEBUG=madvdontneed=1+GODEBUG=gctrace=1", run: []string{"GODEBUG=madvdontneed=1,gctrace=1"}},
		{mode: "GODEBUG=cpu.avx2=off", run: []string{"GODEBUG=cpu.avx2=off"}},
		{mode: "GODEBUG=somebodyelses=1", run: []string{"GODEBUG=somebodyelses=1"}, noted: "somebodyelses"},
		{mode: "arenas", build: []string{"GOEXPERIMENT=arenas"}, part: "arenas"},
		{mode: "noarenas", build: []string{"GOEXPERIMENT=noarenas"}, part: "noarenas", noted: "changes nothing"},
		{mode: "tags=b+tags=a+GOGC=50", flags: []string{"-tags=b,a"}, run: []string{"GOGC=50"}, part: "tags=b+tags=a"},
		{mode: "CGO_ENABLED=0+FOO=x", build: []string{"CGO_ENABLED=0"}, run: []string{"FOO=x"}, part: "CGO_ENABLED=0"},
		{mode: `flags="-race '-gcflags=all=-N -l'"`, flags: []string{"-gcflags=all=-N -l", "-race=true"}, part: `flags="-race '-gcflags=all=-N -l'"`},
		{mode: "pgo", part: "pgo"},
		{mode: local.Version, part: local.Version},
	}
	for _, test := range tests {
		c, err := resolve(t, m, test.mode)
		if err != nil {
			t.Errorf("%s: %v", test.mode, err)
			continue
		}
		build := slices.DeleteFunc(BuildSettings(c), func(s string) bool { return s == "GOTOOLCHAIN="+local.pin })
		for _, list := range []struct {
			what      string
			got, want []string
		}{
			{"build settings", build, test.build}, {"flags", BuildFlags(c), test.flags}, {"run settings", RunSettings(c), test.run},
		} {
			if !slices.Equal(list.got, list.want) {
				t.Errorf("%s: %s are %q, want %q", test.mode, list.what, list.got, list.want)
			}
		}
		if BuildPart(c) != test.part {
			t.Errorf("%s: the build part is %q, want %q", test.mode, BuildPart(c), test.part)
		}
		if notes := strings.Join(c.Notes, "; "); !strings.Contains(notes, test.noted) || test.noted == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q", test.mode, notes, test.noted)
		}
	}
}

// An experiment that the platform holds at one value is refused, not silently the
// default.
func TestFixedExperiment(t *testing.T) {
	m := NewMachine(t.TempDir())
	local, err := m.Toolchain(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range local.Experiments {
		mode := "no" + e.Name
		if !e.On {
			mode = e.Name
		}
		_, unsafe := refused[mode]
		if _, err := resolve(t, m, mode); (err != nil) != (e.Fixed || unsafe) {
			t.Errorf("%s, fixed: %v: %v", mode, e.Fixed, err)
		}
	}
	if args, ok := local.Experiment("regabiargs"); ok && local.Env["GOARCH"] == "amd64" && !args.Fixed {
		t.Error("regabiargs can be turned off on amd64, says the toolchain") // internal/buildcfg: regabiAlwaysOn
	}
}

func TestResolveErrors(t *testing.T) {
	tests := []struct{ environ, mode, want string }{
		{"", "arena", `did you mean "arenas"?`},
		{"", "noarena", `did you mean "noarenas"?`},
		{"", "runtimefreegc", "frees memory that is in use"},
		{"", "pg0", `did you mean "pgo"?`},
		{"", "frobnicate", "heapwright modes -go go"},
		{"", "GODEBUG=madvdontned=1", `did you mean "madvdontneed"?`},
		{"", "GODEBUG=gctrace=1+GODEBUG=gctrace=0", "sets the GODEBUG gctrace twice"},
		{"", "rev=HEAD", "not in a git repository"},
		{"", "GOGC=50+rev=HEAD", "rev=HEAD: the target is not in a git repository"},
		{"GOFLAGS=-tags=x", "tags=y", "GOFLAGS has -tags=x"},
		{"GOFLAGS=-ldflags=-s", "randlayout", "GOFLAGS has -ldflags=-s"},
		{"GOPROXY=off", "go1.999.1", "toolchain go1.999.1 cannot be had"},
	}
	for _, test := range tests {
		m := newMachine(t.TempDir(), append(os.Environ(), test.environ))
		_, err := resolve(t, m, test.mode)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.mode, err, test.want)
			continue
		}
		if !strings.HasPrefix(err.Error(), "mode "+test.mode+": ") || strings.Count(err.Error(), "\n") > 1 {
			t.Errorf("%s: the error does not begin with the mode or has more than two lines: %v", test.mode, err)
		}
	}
}

// The user's own settings are set aside, whether they come from the
// environment or from "go env -w", and stand in the commands to repeat.
func TestSetAside(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "goenv", "GOEXPERIMENT=arenas\n")
	m := newMachine(dir, append(os.Environ(), "GOENV="+dir+"/goenv", "GOFLAGS=", "GOGC=50", "GODEBUG=x=1", "GOMEMLIMIT=", "GOEXPERIMENT=noregabi",
		tunerVariable+"_MAX_GC_CPU=0.1", limitVariable+"=100MiB", ballastVariable+"=1024"))
	if got, want := m.SetAside(), []string{"GOGC=50", "GODEBUG=x=1", "GOEXPERIMENT=noregabi",
		"HEAPWRIGHT_GCTUNE_MAX_GC_CPU=0.1", "HEAPWRIGHT_GCTUNE_LIMIT=100MiB", "HEAPWRIGHT_BALLAST=1024"}; !slices.Equal(got, want) {
		t.Errorf("set aside are %q, want %q", got, want)
	}
	c, err := resolve(t, m, "GOMEMLIMIT=1GiB+gctune=200MiB")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range append(BuildEnv(c), RunEnv(c)...) {
		if slices.Contains(m.SetAside(), entry) {
			t.Errorf("%s is passed on", entry)
		}
	}
	if got, want := RunSettings(c), []string{"GOGC=", "GODEBUG=", "GOEXPERIMENT=", "HEAPWRIGHT_GCTUNE_MAX_GC_CPU", "HEAPWRIGHT_BALLAST=",
		"GOMEMLIMIT=1GiB", "HEAPWRIGHT_GCTUNE=on", "HEAPWRIGHT_GCTUNE_LIMIT=200MiB"}; !slices.Equal(got, want) {
		t.Errorf("run settings are %q, want %q", got, want)
	}
	cmd := exec.Command("go", "list", "-f", "{{context.ToolTags}}", "unsafe")
	cmd.Env, cmd.Dir = BuildEnv(c), dir
	tags, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(tags), "goexperiment.arenas") {
		t.Errorf("the experiment of go env -w is on in the default mode: %s", tags)
	}
}

func TestCommandLine(t *testing.T) {
	got := CommandLine([]string{"GOGC=", "A=it's"}, "./my prog", "-ldflags=-s -w", "a=b", "")
	if want := `GOGC= A='it'\''s' './my prog' '-ldflags=-s -w' a=b ''`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = CommandLine([]string{"GOGC=", "B", "A=1", "C"}, "prog")
	if want := `env -u B -u C GOGC= A=1 prog`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh to read it")
	}
	nasty := "a b'c\"d$HOME`e`\\f*?;&|<>(){}[]~#!\n"
	out, err := exec.Command(sh, "-c", CommandLine([]string{"X=" + nasty}, "printf", "%s", nasty)+`; printf %s "$X"`).Output()
	if err != nil || string(out) != nasty {
		t.Errorf("the shell makes %q of it (%v)", out, err)
	}
}
