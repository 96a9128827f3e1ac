package mode

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var buildFlagsKind = Kind{
	Name: "build flags", Keys: []string{"flags="}, Syntax: "flags=-gcflags=-l",
	Doc:   "flags of go build that the binary records: " + strings.Join(recordedFlags, " "),
	Parse: parseFlags, ProveBuild: proveFlags,
}

// recordedFlags are the flags that Go writes into the binary
// (cmd/go/internal/load, setBuildInfo), so that a build can be compared with
// them. -tags and -pgo are recorded too and have settings of their own.
var recordedFlags = []string{"-asan", "-asmflags", "-gcflags", "-ldflags", "-msan", "-race", "-trimpath"}

type buildFlags struct {
	text string
	list []string
}

func (f buildFlags) String() string { return "flags=" + quoteValue(f.text) }
func (buildFlags) Slot() string     { return "the build flags" }

// foreign reports whether the linker is to start another one, by -extld or by -extldflags.
// Flags that start programs directly, such as -toolexec, are none of recordedFlags.
func (f buildFlags) foreign() bool { return strings.Contains(f.text, "-extld") }

func (f buildFlags) Apply(_ context.Context, _ *Machine, c *Config) error {
	c.BuildFlags = f.list
	return nil
}

func parseFlags(t token) (Setting, error) {
	if t.name != "flags" || !t.valued {
		return nil, nil
	}
	list, err := splitFlags(t.value)
	if err != nil {
		return nil, fmt.Errorf("flags=%s: %w", t.value, err)
	}
	if len(list) == 0 {
		return nil, errors.New("flags= holds no flag: write one as in flags=-gcflags=-l")
	}
	seen := map[string]bool{}
	for _, f := range list {
		name, value := splitFlag(f)
		switch {
		case name == "-tags" || name == "-pgo":
			return nil, fmt.Errorf("flags=%s: %s has a setting of its own: write %s", t.value, name,
				map[string]string{"-tags": "tags=foo", "-pgo": "pgo"}[name])
		case !slices.Contains(recordedFlags, name):
			return nil, fmt.Errorf("flags=%s: %s cannot be used, because a binary does not record it; these can: %s",
				t.value, name, strings.Join(recordedFlags, " "))
		case value == "" || strings.Contains(value, "-randlayout"):
			return nil, fmt.Errorf("flags=%s: %s has no value of use here; for a random layout write randlayout",
				t.value, name)
		case seen[name]:
			return nil, fmt.Errorf("flags=%s: %s is there twice: the go command takes the last only, keep one",
				t.value, name)
		}
		seen[name] = true
	}
	return buildFlags{t.value, list}, nil
}

var layoutFlag = regexp.MustCompile(`\s*-randlayout=(-?[1-9]\d*)`)

// proveFlags also proves tags and the random layout, which are recorded in the
// same way, and that no other flag got in.
func proveFlags(c Config, id Identity) (string, error) {
	want, err := c.userFlags()
	if err != nil {
		return "", err
	}
	asked := c.flagValues()
	for name, value := range asked {
		want[name] = value
	}
	if len(id.Settings) == 0 {
		if id.GoVersion != "" && len(asked) > 0 {
			return "the binary records no build settings: the build command is the only proof", nil
		}
		return "", nil
	}
	// Flags that were not asked for count too: the binary must have no others.
	for _, name := range append([]string{"-tags"}, recordedFlags...) {
		got, want := id.Settings[name], want[name]
		if name == "-ldflags" && id.Settings["-trimpath"] != "" {
			continue // not recorded then, go.dev/issue/52372
		}
		if name == "-ldflags" && c.RandomLink {
			if !layoutFlag.MatchString(got) {
				return "", fmt.Errorf("it was to be linked with a random layout, the binary says -ldflags=%q", got)
			}
			got = layoutFlag.ReplaceAllString(got, "")
		}
		if name == "-tags" {
			got, want = sortedTags(got), sortedTags(want)
		}
		if on, err := strconv.ParseBool(want); err == nil { // -race=1 in GOFLAGS
			want = map[bool]string{true: "true", false: ""}[on] // flags that are off are not recorded
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			return "", fmt.Errorf("it was to be built with %s=%q, the binary says %q", name, want, got)
		}
	}
	if _, ok := asked["-ldflags"]; ok && id.Settings["-trimpath"] != "" {
		return "Go does not record -ldflags under -trimpath: the build command is the only proof of the link", nil
	}
	return "", nil
}

// sortedTags makes two lists of tags comparable; GOFLAGS may have spaces.
func sortedTags(list string) string {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}
