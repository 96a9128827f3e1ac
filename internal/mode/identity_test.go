package mode

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
)

// program reports as the probe of an experiment does, on any Go from 1.20 on.
const program = `package main

import (
	"os"
	"runtime/metrics"
	"strconv"
)

func main() {
	out := "{\"reported\": true"
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() == metrics.KindUint64 {
		out += ", \"gogc\": " + strconv.FormatInt(int64(s[0].Value.Uint64()), 10)
		out += ", \"memory_limit\": " + strconv.FormatInt(int64(s[1].Value.Uint64()), 10)
	}
	out += ", \"env\": {\"\": \"\""
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG", "GOEXPERIMENT", "FOO"} {
		if v, ok := os.LookupEnv(name); ok {
			out += ", " + strconv.Quote(name) + ": " + strconv.Quote(v)
		}
	}
	os.Stdout.WriteString(out + "}}")
}
`

// TestIdentity builds and runs a program in every mode, in an environment that
// says otherwise, and holds each of them against all modes: it must pass for
// its own and for no other.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", "module example.org/report\n\ngo 1.20\n")
	writeFile(t, dir, "main.go", program)
	profile := filepath.Join(dir, "cpu.pprof")
	writeProfile(t, profile)

	m := newMachine(dir, append(os.Environ(), "GOGC=50", "GOMEMLIMIT=1GiB", "GODEBUG=inittrace=0", "GOEXPERIMENT=arenas", "GOFLAGS="))
	local, err := m.Toolchain(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	list := "default,GOGC=400,GOGC=off,GOMEMLIMIT=256MiB,GODEBUG=madvdontneed=1,FOO=a,FOO=b,GOGC=400+FOO=a," +
		"tags=foo,tags=foo+GOGC=off,flags=-gcflags=-l,flags=-trimpath,pgo,arenas+CGO_ENABLED=0+flags=-gcflags=-N"
	if local.RandomLink {
		list += ",randlayout,randlayout+flags=-ldflags=-s"
	}
	for _, version := range []string{"go1.20.14", "go1.21.13", "go1.25.0", "go1.27.4"} {
		if downloaded(local, version) {
			list += "," + version + "+arenas," + version + "+arenas+GOGC=400"
		} else {
			t.Logf("%s is not in the module cache: not checked", version)
		}
	}
	modes, err := Parse(list)
	if err != nil {
		t.Fatal(err)
	}

	configs := make([]Config, len(modes))
	identities := make([]Identity, len(modes))
	built := map[string]string{}
	for i, mode := range modes {
		c, err := mode.Resolve(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		binary := built[c.BuildKey()]
		if binary == "" {
			binary = filepath.Join(dir, "bin"+c.Go.Env["GOEXE"]+"."+strings.Repeat("x", len(built))+c.Go.Env["GOEXE"])
			buildProgram(t, c, dir, binary, profile)
			built[c.BuildKey()] = binary
		}
		before := readBinary(t, binary)
		if err := mode.Verify(c, before); err != nil {
			t.Errorf("before the run: %v", err)
		}
		configs[i], identities[i] = c, before.Merge(runProgram(t, c, binary))
	}
	for i, mode := range modes {
		for j, built := range modes {
			err := mode.Verify(configs[i], identities[j])
			switch {
			case i == j && err != nil:
				t.Errorf("%s, built as such: %v", mode.Name, err)
			case i != j && err == nil && !alike(mode.Name, built.Name):
				t.Errorf("a cell built as %s passes for %s", built.Name, mode.Name)
			}
		}
		if doubts := mode.Doubts(configs[i], identities[i]); len(doubts) > 0 {
			t.Logf("%s: %s", mode.Name, doubts)
		}
	}
	if len(built) >= len(modes) {
		t.Errorf("%d modes took %d builds: those that differ in the run only should share one", len(modes), len(built))
	}
}

// alike reports whether modes differ in FOO only, of which a mode that does
// not set it says nothing.
func alike(mode, built string) bool {
	rest := slices.DeleteFunc(strings.Split(built, "+"), func(s string) bool { return strings.HasPrefix(s, "FOO=") })
	return mode == strings.Join(rest, "+") || mode == Default && len(rest) == 0
}

func buildProgram(t *testing.T, c Config, dir, binary, profile string) {
	t.Helper()
	args := append([]string{"build", "-o", binary}, BuildFlags(c)...)
	if c.PGO {
		args = append(args, "-pgo="+profile)
	}
	if c.RandomLink {
		args = append(args, LayoutFlag(c, 7))
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, ".")...)
	cmd.Dir, cmd.Env = dir, BuildEnv(c)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", CommandLine(BuildSettings(c), "go", args...), err, out)
	}
}

func readBinary(t *testing.T, binary string) Identity {
	t.Helper()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	id := Identity{Settings: map[string]string{}}
	id.GoVersion, id.Experiments = SplitVersion(info.GoVersion)
	for _, s := range info.Settings {
		id.Settings[s.Key] = s.Value
	}
	return id
}

func runProgram(t *testing.T, c Config, binary string) (id Identity) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Env = RunEnv(c)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", binary, err)
	}
	if err := json.Unmarshal(out, &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeProfile(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		t.Skipf("no CPU profile while another is taken: %v", err)
	}
	pprof.StopCPUProfile()
}

// downloaded reports whether a toolchain can be had without the network.
func downloaded(local *Toolchain, version string) bool {
	return slices.ContainsFunc(listVersions(context.Background(), nil, local), func(a Available) bool {
		return a.Syntax == version
	})
}

// The proofs that no build of this machine can give are compared with the reports of
// other toolchains and programs.
func TestVerifyReports(t *testing.T) {
	m := NewMachine(t.TempDir())
	local, err := m.Toolchain(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	version := local.Version
	run := func(id Identity) Identity {
		id.GoVersion, id.Reported = version, true
		if id.MemoryLimit == 0 {
			id.MemoryLimit = 1<<63 - 1
		}
		return id
	}
	// tuned sees the environment of the added source.
	tuned := func(id Identity) Identity {
		id = run(id)
		id.Env = maps.Clone(id.Env)
		if id.Env == nil {
			id.Env = map[string]string{}
		}
		maps.Copy(id.Env, map[string]string{"HEAPWRIGHT_GCTUNE": "on", "HEAPWRIGHT_GCTUNE_MIN_HEAP": "256MiB",
			"HEAPWRIGHT_GCTUNE_LIMIT": "1GiB", "HEAPWRIGHT_BALLAST": "1048576"})
		return id
	}
	preset := *local
	preset.preset = []string{"boringcrypto"}
	preset.Experiments = slices.Clone(local.Experiments)
	for i := range preset.Experiments {
		preset.Experiments[i].On = preset.Experiments[i].On || preset.Experiments[i].Name == "boringcrypto"
	}
	tests := []struct {
		name, mode string
		toolchain  *Toolchain
		id         Identity
		want       string // in the error; "" for none
		doubt      string
	}{
		{"not Go", "default", local, Identity{}, "", "not a Go binary"},
		{"program sets GOGC", "default", local, run(Identity{GOGC: 30}), "", "the program sets GOGC itself, to 30"},
		{"program overrides GOGC", "GOGC=400", local, run(Identity{GOGC: 30, Env: map[string]string{"GOGC": "400"}}), "debug.SetGCPercent", ""},
		{"program overrides limit", "GOMEMLIMIT=1MiB", local, run(Identity{GOGC: 100, MemoryLimit: 1 << 30, Env: map[string]string{"GOMEMLIMIT": "1MiB"}}), "debug.SetMemoryLimit", ""},
		{"user's GOGC leaks", "default", local, run(Identity{GOGC: 200, Env: map[string]string{"GOGC": "200"}}), "GOGC was not set", ""},
		{"user's GODEBUG leaks", "default", local, run(Identity{GOGC: 100, Env: map[string]string{"GODEBUG": "x=1"}}), "GODEBUG", ""},
		{"our trace is no leak", "default", local, run(Identity{GOGC: 100, Env: map[string]string{"GODEBUG": "gctrace=1"}}), "", ""},
		{"old Go without metrics", "GOGC=400", local, Identity{GoVersion: version, Reported: true, Env: map[string]string{"GOGC": "400"}}, "", "environment only"},
		{"not run yet", "GOGC=400", local, Identity{GoVersion: version}, "", "no run reported"},
		{"one experiment", "arenas", local, Identity{GoVersion: version, Experiments: []string{"arenas"}, Functions: []string{"runtime.newUserArena"}}, "", ""},
		{"experiment that the program does not use", "arenas", local, Identity{GoVersion: version, Experiments: []string{"arenas"}}, "", "has nothing of arenas"},
		{"protobuf in arenas", "arenapb=off", local, run(Identity{GOGC: 100, Functions: []string{protobufFunction}, Env: map[string]string{protobufVariable: "off"}}), "", ""},
		{"protobuf elsewhere", "arenapb=off", local, run(Identity{GOGC: 100, Env: map[string]string{protobufVariable: "off"}}), "", "does not use arena/arenapb"},
		{"label without effect", "nogreenteagc", local, Identity{GoVersion: version, Experiments: []string{"nogreenteagc"}, Functions: []string{"runtime.tryDeferToSpanScan"}}, "still has runtime.tryDeferToSpanScan", ""},
		{"effect", "nogreenteagc", local, Identity{GoVersion: version, Experiments: []string{"nogreenteagc"}}, "", ""},
		{"effect that cannot be seen", "cgocheck2", local, Identity{GoVersion: version, Experiments: []string{"cgocheck2"}}, "", "the effect of cgocheck2"},
		{"two experiments", "arenas", local, Identity{GoVersion: version, Experiments: []string{"arenas", "boringcrypto"}}, "[arenas boringcrypto]", ""},
		{"user's experiment leaks", "default", local, Identity{GoVersion: version, Experiments: []string{"arenas"}}, "[arenas]", ""},
		{"built into the toolchain", "arenas", &preset, Identity{GoVersion: version, Experiments: []string{"boringcrypto", "arenas"}, Functions: []string{"runtime.newUserArena"}}, "", ""},
		{"built in, turned off", "noboringcrypto", &preset, Identity{GoVersion: version}, "", "the effect of noboringcrypto"},
		{"other toolchain", "default", local, Identity{GoVersion: "go1.18.1"}, "go1.18.1", ""},
		{"default.pgo of the target", "default", local, Identity{GoVersion: version, Settings: map[string]string{"-pgo": "/src/default.pgo"}}, "", ""},
		{"stranger's profile", "default", local, Identity{GoVersion: version, Settings: map[string]string{"-pgo": "/tmp/x.pgo"}}, "without a profile", ""},
		{"profile not recorded", "pgo", local, Identity{GoVersion: version}, "CPU profile of the baseline", ""},
		{"profile of a test", "pgo", local, Identity{GoVersion: version, Path: "example.org/x.test"}, "", "does not record -pgo"},
		{"floor in force", "floor=256MiB", local, tuned(Identity{Tuner: "calm", GOGC: 700, HeapFloor: 256 << 20}), "", ""},
		{"floor lowered", "floor=256MiB", local, tuned(Identity{Tuner: "calm", HeapFloor: 128 << 20}), "", "the machine was short of memory"},
		{"floor of another", "floor=256MiB", local, tuned(Identity{Tuner: "calm", HeapFloor: 512 << 20}), "kept one of 536870912 bytes", ""},
		{"floor over the limit", "floor=256MiB", local, tuned(Identity{Tuner: "calm", HeapFloor: 256 << 20, TunedLimit: 128 << 20, HeapCeiling: 100 << 20}), "", "cut the heap floor"},
		{"nothing added", "floor=256MiB", local, tuned(Identity{GOGC: 100}), "does not report gctune", ""},
		{"added, not started", "floor=256MiB", local, tuned(Identity{Tuner: "stopped"}), "did not start", ""},
		{"added, let go", "gctune", local, tuned(Identity{Tuner: "yielded"}), "sets GOGC or the memory limit itself", ""},
		{"gctune with nothing to keep", "gctune", local, tuned(Identity{Tuner: "calm"}), "", "as in gctune=400MiB"},
		{"gctune with a group's limit", "gctune", local, tuned(Identity{Tuner: "defending", TunedLimit: 1 << 30}), "", ""},
		{"gctune with its limit", "gctune=1GiB+GOGC=50", local, tuned(Identity{Tuner: "calm", GOGC: 70, MemoryLimit: 900 << 20, TunedLimit: 1 << 30, Env: map[string]string{"GOGC": "50"}}), "", ""},
		{"gctune with another limit", "gctune=1GiB", local, tuned(Identity{Tuner: "calm", TunedLimit: 2 << 30}), "kept one of 2147483648 bytes", ""},
		{"gctune in a tighter group", "gctune=1GiB", local, tuned(Identity{Tuner: "calm", TunedLimit: 1 << 20}), "", "is tighter than the 1GiB"},
		{"gctune that nobody asked for", "default", local, run(Identity{GOGC: 100, Tuner: "calm"}), "without gctune", ""},
		{"ballast", "ballast=1MiB", local, tuned(Identity{GOGC: 100, Ballast: 1 << 20}), "", ""},
		{"ballast of another size", "ballast=1MiB", local, tuned(Identity{GOGC: 100, Ballast: 2 << 20}), "of 1048576 bytes, the run had one of 2097152", ""},
		{"ballast that nobody asked for", "default", local, run(Identity{GOGC: 100, Ballast: 1}), "a ballast of 0 bytes", ""},
		{"unrecorded variable", "GOTMPDIR=/x", local, Identity{GoVersion: version}, "", "does not record GOTMPDIR"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			modes, err := Parse(test.mode)
			if err != nil {
				t.Fatal(err)
			}
			m := NewMachine(t.TempDir())
			m.toolchains[""] = test.toolchain
			c, err := modes[0].Resolve(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			err = modes[0].Verify(c, test.id)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("Verify: %v, want %q", err, test.want)
			}
			if doubts := strings.Join(modes[0].Doubts(c, test.id), "; "); !strings.Contains(doubts, test.doubt) || test.doubt == "" && doubts != "" {
				t.Errorf("Doubts: %q, want %q", doubts, test.doubt)
			}
		})
	}
}
