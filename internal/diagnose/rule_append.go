package diagnose

import "fmt"

func init() {
	register(Rule{
		Name:  ruleAppend,
		Title: "a slice grows by append without room",
		Doc: `Looks for append to a slice that was made without capacity, by the line's syntax and runtime.growslice in
CPU samples, and for strings.Builder without Grow. Growing to n elements allocates about 2n to 3n, and copies as
much. It is wrong where nobody can say beforehand how many there will be; a slice that is used again helps then.`,
		Remedy: "Make the slice with the capacity that is known, or keep it and start again at [:0].",
		Example: `out := make([]T, 0, len(in))
for _, x := range in {
	out = append(out, f(x))
}`,
		Risk:          "Low. A guess that is far too large costs memory.",
		WithoutSource: sampledCalls,
		Find: fromCauses(ruleAppend, 0.4, 0.9, func(e *Evidence, c *cause, f *Finding) {
			a := c.what
			if c.callee != "" {
				f.Title = "a strings.Builder grows without Grow"
				f.Remedy = "Call Grow with the length to be expected before the first write."
				f.Example = "var b strings.Builder\nb.Grow(n)"
				return
			}
			if a.Target != "" {
				f.Title = fmt.Sprintf("%s grows by append without room", a.Target)
			}
			if a.Room != "" && a.Type != "" {
				f.Example = fmt.Sprintf("%s := make(%s, 0, %s)", a.Target, a.Type, a.Room)
				if a.Made.Line > 0 {
					f.Example += " // at " + at(a.Made)
				}
			} else {
				f.CPU.Low /= 2 // nobody knows how many there will be
			}
		}),
	})
}
