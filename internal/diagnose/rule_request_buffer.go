package diagnose

import "fmt"

func init() {
	register(Rule{
		Name:  ruleBuffer,
		Title: "a buffer is made for every call",
		Doc: `Looks for buffers of which next to nothing survives: byte slices, bytes.Buffer, bufio readers and writers,
io.ReadAll, by the call path, the type and survival. It is wrong where the buffer is handed on and kept.`,
		Remedy: "Take the buffer from a pool and give it back when the call is done.",
		Example: `var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

b := pool.Get().(*bytes.Buffer)
defer pool.Put(b)
b.Reset()`,
		Risk: "Who keeps a part of the buffer after it was given back reads what the next call writes. Do not give back buffers that " +
			"grew far beyond the usual.",
		WithoutSource: "only buffers that functions of libraries make, and large ones that CPU samples show in the runtime's functions",
		Find: fromCauses(ruleBuffer, 0.6, 1, func(e *Evidence, c *cause, f *Finding) {
			f.Title = "a buffer is made for every call"
			if fn, ok := e.Source.Function(c.site.File, c.site.Line); ok && fn.Request {
				f.Title = "a buffer is made for every request"
			}
			if c.callee != "" {
				f.Title += " by " + shortName(c.callee)
			} else if c.what.Text != "" {
				f.Title += ": " + c.what.Text
			}
			if c.Alloc.Objects > 0 {
				f.Remedy = fmt.Sprintf("Take the buffer, %.0f bytes on average, from a pool and give it back when the call is done.",
					c.Alloc.Bytes/c.Alloc.Objects)
			}
		}),
	})
}
