package diagnose

import "github.com/heapwright/heapwright/internal/source"

func init() {
	register(Rule{
		Name:  ruleConversion,
		Title: "a string is copied into bytes, or bytes into a string",
		Doc: `Looks for conversions between string and []byte or []rune that copy, by the line's syntax and the
runtime's functions in CPU samples (slicebytetostring, stringtoslicebyte), and io.WriteString to writers that have no WriteString. The compiler spares the copy in map
lookups, comparisons, ranges and concatenations; these are not reported. It is wrong where the copy is needed
because the bytes change or the string would keep a large buffer alive.`,
		Remedy: "Keep one form from end to end: functions of package bytes have the signatures of package strings, " +
			"strconv.Append and append(dst, s...) write into bytes, io.WriteString writes strings.",
		Example: `// before: w.Write([]byte(s)); n, err := strconv.Atoi(string(b))
io.WriteString(w, s)              // no copy where w has WriteString
key := cache[string(b)]           // a lookup does not copy
dst = append(dst[:0], s...)       // into a buffer that is used again`,
		Risk:          "Low. unsafe.String avoids any copy, but is right only while nobody changes the bytes.",
		WithoutSource: sampledCalls,
		Find: fromCauses(ruleConversion, 0.6, 1, func(e *Evidence, c *cause, f *Finding) {
			if c.callee != "" {
				f.Title = "io.WriteString copies the string: the writer has no WriteString"
				f.Remedy = "Hold the text as bytes, or give the writer a WriteString method; for writers of a library, append to a buffer and Write that."
				f.Example = "buf = append(buf[:0], s...)\nw.Write(buf)"
				return
			}
			switch c.what.Kind {
			case source.StringToBytes:
				f.Title = "a string is copied into bytes" + of(c.what)
			case source.BytesToString:
				f.Title = "bytes are copied into a string" + of(c.what)
			}
		}),
	})
}

// of names an expression, where it is known.
func of(a source.Allocation) string {
	if a.Text == "" {
		return ""
	}
	return ": " + a.Text
}
