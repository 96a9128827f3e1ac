package flame

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Read adds the profiles in files up, and likewise the base's if there are any, over
// one dictionary, which the options need not name. It holds one of them at
// a time. The notes are for people.
func Read(ctx context.Context, files, baseFiles []string,
	opts profile.Options) (p, base *profile.Profile, notes []string, err error) {
	opts.Dict, opts.Rebase = new(profile.Dict), true
	decoder := profile.NewDecoder(opts)
	note := func(format string, args ...any) {
		notes = append(notes, termtext.Harmless(fmt.Sprintf(format, args...)))
	}
	// The first profile that says how often it was sampled has this name and period.
	first, period, mixed := "", int64(0), false
	sum := func(names []string) (*profile.Profile, error) {
		m := profile.NewMerger(opts)
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			one, err := decoder.DecodeFile(name)
			if err != nil {
				return nil, err
			}
			switch {
			case period == 0:
				first, period = name, one.Period
			case one.Period != 0 && one.Period != period && !mixed:
				mixed = true
				note("the profiles were sampled at different rates, %s every %d %s and %s every %d: small values are less certain in what is sampled less often",
					first, period, one.PeriodType.Unit, name, one.Period)
			}
			if pruned, err := one.Prune(); err != nil {
				note("%v; all are shown", err)
			} else {
				one = pruned
			}
			if err := m.Add(one); err != nil {
				return nil, err
			}
		}
		all, err := m.Profile()
		if err == nil {
			all.Name = strings.Join(names, ", ")
		}
		return all, err
	}
	if p, err = sum(files); err == nil && len(baseFiles) > 0 {
		base, err = sum(baseFiles)
	}
	return p, base, notes, err
}

// Title names the profiles of files, and of the base if there are any.
func Title(files, base []string) string {
	title := several(files)
	if len(base) > 0 {
		title += " against " + several(base)
	}
	return title
}

func several(names []string) string {
	if len(names) == 1 {
		return filepath.Base(names[0])
	}
	return fmt.Sprintf("%s and %d more", filepath.Base(names[0]), len(names)-1)
}
