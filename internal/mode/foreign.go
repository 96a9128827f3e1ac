package mode

import (
	"context"

	"github.com/heapwright/heapwright/internal/input"
)

// foreigner is a setting that may start a program, or load code into one, that is not
// of the target's module.
type foreigner interface{ foreign() bool }

// Foreign returns the settings in a choice that start programs, or load code into them,
// that are not of the target's module: another compiler or linker, another Go. A
// choice that cannot be read has none; Choose reports why.
func Foreign(ctx context.Context, c Choice) []string {
	var modes []Mode
	switch {
	case c.File != "" && input.CheckFile(c.File, maxModes) == nil: // a pipe can be read once, which is Choose's
		modes, _ = Load(ctx, c.File)
	case c.List != "":
		modes, _ = Parse(c.List)
	}
	return ForeignSettings(modes)
}

// ForeignSettings is Foreign for modes that are read already.
func ForeignSettings(modes []Mode) []string {
	var all []string
	for _, m := range modes {
		for _, s := range m.Settings {
			if f, ok := s.(foreigner); ok && f.foreign() {
				all = append(all, s.String())
			}
		}
	}
	return all
}
