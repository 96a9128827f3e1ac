package mode

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/suggest"
)

var variableKind = Kind{
	Name: "environment", Syntax: "GOMAXPROCS=1",
	Doc:   "any other variable in upper case, for the run, or for the build if the go command knows it: GOAMD64=v3",
	Parse: parseVariable, ProveBuild: proveBuildVariables, ProveRun: proveRunVariables,
}

type variable struct{ name, value string }

func (v variable) String() string { return v.name + "=" + quoteValue(v.value) }
func (v variable) Slot() string   { return v.name }

var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// elsewhere are variables that another kind of setting decides, or that Heapwright
// relies on.
var elsewhere = map[string]string{
	"GOEXPERIMENT": "write the experiment alone, as in arenas",
	"GOTOOLCHAIN":  "write the version alone, as in go1.27.4",
	"GOROOT":       "write the Go version alone, as in go1.27.4",
	"GOFLAGS":      "write the flags as flags=-race or tags=foo",
	"GOENV":        "it holds several settings at once; write each as a setting",
	"GOOS":         "programs for another system cannot run here",
	"GOARCH":       "programs for another processor cannot run here",
}

func parseVariable(t token) (Setting, error) {
	if !t.valued || !variableName.MatchString(t.name) {
		return nil, nil
	}
	if why, ok := elsewhere[t.name]; ok {
		return nil, fmt.Errorf("%s cannot be set as a variable: %s", t, why)
	}
	// GOGCC and GOMEMLIMITS are slips: as variables they would change nothing.
	if near := suggest.Nearest(t.name, []string{"GOGC", "GOMEMLIMIT", "GODEBUG"}); near != "" &&
		strings.HasPrefix(t.name, "GO") {
		return nil, &UnknownError{Name: t.name, Value: "=" + quoteValue(t.value), Known: []string{near}}
	}
	return variable{t.name, t.value}, nil
}

// foreignVariables name programs that the go command or the target starts, or code that
// the loader adds to them, as patterns of path.Match. The flags of C compilers and
// linkers can name plugins.
var foreignVariables = []string{
	"AR", "CC", "CC_FOR_*", "CXX", "CXX_FOR_*", "FC", "GCCGO", "PKG_CONFIG", "CGO_*FLAGS", "GOAUTH",
	"GOCACHEPROG", "GOTOOLDIR", "PATH", "LD_*", "DYLD_*",
}

func (v variable) foreign() bool {
	return slices.ContainsFunc(foreignVariables, func(pattern string) bool {
		ok, _ := path.Match(pattern, v.name) // the patterns are well-formed
		return ok
	})
}

// Apply gives the variable to the build if the go command knows it, because
// the run would not look at it, else to the run.
func (v variable) Apply(_ context.Context, _ *Machine, c *Config) error {
	if _, ok := c.Go.Env[v.name]; ok {
		c.BuildEnv[v.name] = v.value
	} else {
		c.RunEnv[v.name] = v.value
	}
	return nil
}

// proveBuildVariables holds every variable that the binary records and that
// the go command knows the value of, so that the user's own GOAMD64 is proven
// for all modes too.
func proveBuildVariables(c Config, id Identity) (string, error) {
	for name, got := range id.Settings {
		want, asked := c.BuildEnv[name]
		if !asked {
			want = c.Go.Env[name]
		}
		// The experiments have their own proof. Of these flags the binary
		// records the value that was set; otherwise "go env" prints the one in use.
		inferred := name == "GOEXPERIMENT" || strings.HasPrefix(name, "CGO_") && strings.HasSuffix(name, "FLAGS")
		if want == "" || inferred && !asked {
			continue
		}
		// The go command may add to a value: GOARM=7 is recorded as
		// 7,hardfloat and GOFIPS140=v1.0.0 with a hash.
		if got != want && !strings.HasPrefix(got, want+"-") && !strings.HasPrefix(got, want+",") {
			return "", fmt.Errorf("it was to be built with %s=%s, the binary says %q", name, want, got)
		}
	}
	var unrecorded []string
	for name := range c.BuildEnv {
		if _, recorded := id.Settings[name]; !recorded {
			unrecorded = append(unrecorded, name)
		}
	}
	if len(unrecorded) == 0 {
		return "", nil
	}
	slices.Sort(unrecorded)
	return fmt.Sprintf("the binary does not record %s: the build command is the only proof",
		strings.Join(unrecorded, ", ")), nil
}

func proveRunVariables(c Config, id Identity) (string, error) {
	for name, want := range c.RunEnv {
		if err := proveVariable(name, want, true, id); err != nil {
			return "", err
		}
	}
	return "", nil
}

// proveVariable holds one variable as the run saw it against the mode's.
func proveVariable(name, want string, asked bool, id Identity) error {
	got, seen := id.Env[name]
	switch {
	case asked && !seen:
		return fmt.Errorf("%s=%s was set, the run did not see it", name, want)
	case asked && got != want:
		return fmt.Errorf("%s=%s was set, the run saw %q", name, want, got)
	case !asked && got != "":
		return fmt.Errorf("%s was not set, the run saw %q", name, got)
	}
	return nil
}
