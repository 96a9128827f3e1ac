package mode

import (
	"cmp"
	"context"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

var goVersionKind = Kind{
	Name: "Go version", Syntax: "go1.27.4",
	Doc:   "build with that release of Go, which the go command downloads if need be",
	Parse: parseVersion, ProveBuild: proveVersion, List: listVersions,
}

type goVersion string

func (v goVersion) String() string    { return string(v) }
func (goVersion) Slot() string        { return "the Go version" }
func (v goVersion) toolchain() string { return string(v) }

// foreign is always true: the go command downloads another Go and runs it.
func (goVersion) foreign() bool { return true }

// Apply has nothing to do: Resolve has looked the toolchain up before.
func (goVersion) Apply(context.Context, *Machine, *Config) error { return nil }

var versionLike = regexp.MustCompile(`^(go\d.*|go-?tip|gotip.*|tip|latest|stable|oldstable|devel|local|auto|path)$`)

func parseVersion(t token) (Setting, error) {
	if t.valued || !versionLike.MatchString(t.name) {
		return nil, nil
	}
	return goVersion(t.name), checkRelease(t.name)
}

func checkRelease(name string) error {
	if !release.MatchString(name) {
		return fmt.Errorf(
			"%q is not a release of Go, and only releases are reproducible: write one in full, as in go1.27.4", name)
	}
	// From Go 1.21 on go1.N is a language version and go1.N.0 its first release.
	if version.Compare(name, "go1.21") >= 0 && name == version.Lang(name) {
		return fmt.Errorf("%s is a version of the language: write a release, as in %[1]s.0", name)
	}
	return nil
}

func proveVersion(c Config, id Identity) (string, error) {
	if id.GoVersion == "" {
		return "not a Go binary, or one without build information: nothing about its build can be proven", nil
	}
	if id.GoVersion != c.Go.Version {
		return "", fmt.Errorf("it was to be built with %s, the binary says %s", c.Go.Version, id.GoVersion)
	}
	return "", nil
}

func listVersions(_ context.Context, _ *Machine, t *Toolchain) []Available {
	list := []Available{{Syntax: t.Version, Doc: "in use: it builds modes without a version",
		Available: true, Default: true}}
	pattern := filepath.Join(t.Env["GOMODCACHE"], "golang.org",
		"toolchain@v0.0.1-go*."+t.Env["GOHOSTOS"]+"-"+t.Env["GOHOSTARCH"])
	found, _ := filepath.Glob(pattern) // fails only on a malformed pattern
	var names []string
	for _, dir := range found {
		name := strings.TrimPrefix(filepath.Base(dir), "toolchain@v0.0.1-")
		name = strings.TrimSuffix(name, "."+t.Env["GOHOSTOS"]+"-"+t.Env["GOHOSTARCH"])
		if _, err := os.Stat(filepath.Join(dir, "bin", "go"+exeSuffix())); err == nil && name != t.Version {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(version.Compare(b, a), strings.Compare(a, b)) })
	for _, name := range names {
		list = append(list, Available{Syntax: name, Doc: "already downloaded", Available: true})
	}
	other := Available{Syntax: "go1.N.P", Doc: "any other release, see https://go.dev/dl; downloaded by the go command",
		Available: true}
	if t.Env["GOPROXY"] == "off" {
		other.Available, other.Why = false, "GOPROXY=off forbids downloads"
	}
	return append(list, other)
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
