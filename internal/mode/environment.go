package mode

import (
	"path"
	"runtime"
	"slices"
	"strings"
)

// SetAside returns the entries of the user's environment that no mode sees,
// "GOGC=200", for a note to the user.
func (m *Machine) SetAside() []string {
	return slices.DeleteFunc(slices.Clone(m.environ), func(entry string) bool {
		_, value, _ := strings.Cut(entry, "=")
		return value == "" || !isSetAside(entry)
	})
}

func withoutSetAside(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), isSetAside)
}

func isSetAside(entry string) bool {
	name, _, _ := strings.Cut(entry, "=")
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name)
	}
	_, ok := decided(name)
	return ok
}

// decided returns the pattern in the Variables of a kind that a variable matches.
func decided(name string) (pattern string, ok bool) {
	for _, k := range kinds {
		for _, pattern := range k.Variables {
			if ok, _ := path.Match(pattern, name); ok {
				return pattern, true
			}
		}
	}
	return "", false
}

// BuildEnv returns the whole environment for the go command that builds a
// configuration.
func BuildEnv(c Config) []string {
	return append(withoutSetAside(c.environ), c.buildVariables()...)
}

// RunEnv returns the whole environment for a run of a built cell.
func RunEnv(c Config) []string {
	return append(withoutSetAside(c.environ), assignments(c.RunEnv)...)
}

// BuildSettings returns the variables of BuildEnv that differ from the user's,
// for CommandLine. A variable that is set aside stands there as empty; one of
// gctune's, which takes no empty value, by its name alone.
func BuildSettings(c Config) []string { return c.changes(c.buildVariables()) }

// RunSettings does the same for RunEnv.
func RunSettings(c Config) []string { return c.changes(assignments(c.RunEnv)) }

func (c Config) changes(set []string) []string {
	var list []string
	for _, entry := range c.environ {
		name, _, _ := strings.Cut(entry, "=")
		names := func(entry string) bool { return entry == name || strings.HasPrefix(entry, name+"=") }
		if !isSetAside(entry) || slices.ContainsFunc(slices.Concat(list, set), names) {
			continue
		}
		if pattern, _ := decided(name); pattern == name {
			name += "="
		}
		list = append(list, name)
	}
	return append(list, set...)
}

// buildVariables are the variables of the build's environment beyond the user's.
func (c Config) buildVariables() []string {
	var list []string
	if c.Go.pin != "" {
		list = append(list, "GOTOOLCHAIN="+c.Go.pin)
	}
	if exp := c.goexperiment(); exp != "" {
		list = append(list, "GOEXPERIMENT="+exp)
	}
	return append(list, assignments(c.BuildEnv)...)
}

// goexperiment is the value of GOEXPERIMENT. It repeats the toolchain's built-in
// value, which any other replaces.
func (c Config) goexperiment() string {
	names := slices.Concat(c.Go.preset, c.Experiments)
	if len(names) == 0 && c.Go.Env["GOEXPERIMENT"] != "" {
		// "go env -w" has set one, and an empty variable does not override
		// it. Repeating a default does.
		for _, e := range c.Go.Experiments {
			if !e.On {
				return "no" + e.Name
			}
		}
	}
	return strings.Join(names, ",")
}

// assignments returns "name=value" in the order of the names.
func assignments(env map[string]string) []string {
	var list []string
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}
