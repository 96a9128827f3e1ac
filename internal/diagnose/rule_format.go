package diagnose

import "strings"

func init() {
	register(Rule{
		Name:  ruleFormatting,
		Title: "formatting by reflection on a hot path",
		Doc: `Looks for allocations through fmt, log, reflect, sort.Slice and templates, by the call path, and for values
that are put into interfaces to be handed to them. It is wrong where the output is what the program is for.`,
		Remedy: "Write the value with strconv.Append and append into a buffer that is used again; use a struct as a map's " +
			"key instead of a formatted string; slices.SortFunc instead of sort.Slice; log only after asking whether the level is on.",
		Example: `buf = append(buf[:0], "user:"...)
buf = strconv.AppendInt(buf, id, 10)
// or as a key of a map, without text at all:
type key struct{ kind string; id int64 }`,
		Risk: "Low. What verbs such as %q and %v do has to be done by hand.",
		Find: fromCauses(ruleFormatting, 0.5, 1, func(e *Evidence, c *cause, f *Finding) {
			if c.callee != "" {
				f.Title = shortName(c.callee) + " on a hot path"
			}
		}),
	})
}

// shortName returns a function's name without the path of its package.
func shortName(function string) string {
	if i := strings.IndexByte(function, '['); i >= 0 {
		function = function[:i]
	}
	return function[strings.LastIndexByte(function, '/')+1:]
}
