package diagnose

func init() {
	register(Rule{
		Name:  ruleConcat,
		Title: "strings are joined with +",
		Doc: `Looks for + and += of strings, by the line's syntax and runtime.concatstrings in CPU samples. In a loop,
s += x copies all that is there already, each time. It is wrong where the sum is kept for long: then it has to be
allocated anyway.`,
		Remedy: "Write the parts where they go, or into one buffer: a strings.Builder with Grow, or append to a []byte that is used again.",
		Example: `var b strings.Builder
b.Grow(len(parts) * 16)           // what is to be expected
for _, p := range parts {
	b.WriteString(p)
}
return b.String()`,
		Risk:          "Low.",
		WithoutSource: sampledCalls,
		Find: fromCauses(ruleConcat, 0.5, 1, func(e *Evidence, c *cause, f *Finding) {
			if c.what.InLoop && c.what.Target != "" {
				f.Title = "a string grows by + in a loop: " + c.what.Target
			}
		}),
	})
}
