package diagnose

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/source"
)

func init() {
	register(Rule{
		Name:  ruleMapSize,
		Title: "a map grows from nothing",
		Doc: `Looks for inserts into a map that was made without a size, by the line's syntax and runtime.mapassign and
what it calls in CPU samples. A map that grows moves all of its entries each time it doubles. It is wrong where nobody can say
beforehand how many entries there will be; a map that is cleared and used again helps then.`,
		Remedy: "Make the map with the number of entries to be expected, or keep it and clear it.",
		Example: `m := make(map[string]int, len(in))
// or, from one call to the next:
clear(m)`,
		Risk:          "Low. A guess that is far too large costs memory; a map that is cleared keeps its largest size.",
		WithoutSource: sampledCalls,
		Find: fromCauses(ruleMapSize, 0.3, 0.8, func(e *Evidence, c *cause, f *Finding) {
			a := c.what
			if a.Kind == source.MapInsert && a.Target != "" {
				f.Title = fmt.Sprintf("the map %s grows from nothing", a.Target)
			}
			if a.Made.Line > 0 {
				f.Remedy = fmt.Sprintf("Make %s with its size at %s, or keep it and clear it.", a.Target, at(a.Made))
			}
			if a.Room != "" && a.Type != "" {
				f.Example = fmt.Sprintf("%s := make(%s, %s)", a.Target, a.Type, a.Room)
			}
		}),
	})
}
