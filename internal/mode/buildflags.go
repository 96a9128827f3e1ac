package mode

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// BuildFlags returns the mode's flags for go build, go test and go list. It leaves out
// -pgo, because the experiment records the profile for it, and LayoutFlag, because that
// differs from build to build.
func BuildFlags(c Config) []string {
	var list []string
	for name, value := range c.flagValues() {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// LayoutFlag returns the flag that makes the linker place functions in a random order,
// which depends on the seed. A seed of 0 would mean the usual order, so it must not be 0.
// The flag goes behind BuildFlags. It includes the -ldflags there, because it replaces
// them.
func LayoutFlag(c Config, seed int64) string {
	return LinkFlag(c, fmt.Sprintf("-randlayout=%d", seed))
}

// LinkFlag returns the flag that passes one more flag to the linker, in addition to the
// ones in BuildFlags.
func LinkFlag(c Config, flag string) string {
	return "-ldflags=" + strings.TrimSpace(c.flagValues()["-ldflags"]+" "+flag)
}

// flagValues returns the flags of BuildFlags by name.
func (c Config) flagValues() map[string]string {
	flags := map[string]string{}
	for _, f := range c.BuildFlags {
		name, value := splitFlag(f)
		flags[name] = value
	}
	if len(c.Tags) > 0 {
		flags["-tags"] = strings.Join(c.Tags, ",")
	}
	return flags
}

// userFlags returns the flags of the user's GOFLAGS, of the environment or of
// "go env -w", by name with one dash.
func (c Config) userFlags() (map[string]string, error) {
	fields, err := splitFlags(c.Go.Env["GOFLAGS"])
	if err != nil {
		return nil, fmt.Errorf("GOFLAGS: %w", err)
	}
	flags := map[string]string{}
	for _, f := range fields {
		name, value := splitFlag(f)
		flags[name] = value
	}
	return flags, nil
}

// Instrumented returns the flag in the user's GOFLAGS that adds checks to each memory
// access, or coverage counters, or "" if there is none.
func (c Config) Instrumented() string {
	theirs, _ := c.userFlags() // Resolve has reported the error
	for _, name := range []string{"-race", "-msan", "-asan", "-cover"} {
		if value, there := theirs[name]; there && value != "false" {
			return name
		}
	}
	return ""
}

// checkGOFLAGS returns an error for a flag that the user's GOFLAGS has, too. On the command
// line the mode's flag would silently replace the user's, and the mode would differ from
// the baseline in two ways.
func (c Config) checkGOFLAGS() error {
	theirs, err := c.userFlags()
	if err != nil {
		return err
	}
	ours := c.flagValues()
	if c.RandomLink { // LayoutFlag will set it
		ours["-ldflags"] = ""
	}
	for name := range ours {
		if value, there := theirs[name]; there {
			return fmt.Errorf("GOFLAGS has %s=%s, which this mode's %[1]s would replace: take it out of GOFLAGS and write it into the modes", name, value)
		}
	}
	return nil
}

// splitFlags splits GOFLAGS as the go command does. Spaces separate flags, and a flag with
// spaces is quoted as a whole: '-gcflags=all=-N -l'.
func splitFlags(s string) ([]string, error) {
	var list []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var field string
		if s[0] == '"' || s[0] == '\'' {
			var closed bool
			if field, s, closed = strings.Cut(s[1:], s[:1]); !closed {
				return nil, errors.New("a quote is not closed")
			}
		} else if end := strings.IndexAny(s, " \t"); end >= 0 {
			field, s = s[:end], s[end:]
		} else {
			field, s = s, ""
		}
		if !strings.HasPrefix(field, "-") || field == "-" {
			return nil, fmt.Errorf(
				"%q is not a flag: quote a flag with spaces as a whole, '-gcflags=all=-N -l'", field)
		}
		list = append(list, field)
	}
	return list, nil
}

// splitFlag returns a flag's name with one dash and its value, "true" if there
// is none.
func splitFlag(f string) (name, value string) {
	name, value, valued := strings.Cut(f, "=")
	if !valued {
		value = "true"
	}
	return "-" + strings.TrimLeft(name, "-"), value
}
