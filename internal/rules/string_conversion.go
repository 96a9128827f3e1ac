package rules

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var stringConversion = &finding.Rule{
	Name:  "string-conversion",
	Title: "a string is copied into bytes, or bytes into a string",
	Doc: `Finds conversions between string and []byte or []rune that copy, and io.WriteString to writers without
WriteString: by the line's syntax, and by the runtime's functions in CPU samples (slicebytetostring,
stringtoslicebyte). The compiler avoids the copy in map lookups, comparisons, ranges and concatenations; these are not
reported. It is wrong if the copy is needed because the bytes change, or because the string would keep a large buffer
alive.`,
	Remedy: "Keep one form from end to end: functions of package bytes have the signatures of package strings, " +
		"strconv.Append and append(dst, s...) write into bytes, io.WriteString writes strings.",
	Example: `// before: w.Write([]byte(s)); n, err := strconv.Atoi(string(b))
io.WriteString(w, s)              // no copy where w has WriteString
key := cache[string(b)]           // a lookup does not copy
dst = append(dst, s...)           // into the bytes that s is for`,
	Risk:          "Low. A copy is needed where the bytes change later, or where the string would keep a large buffer alive.",
	WithoutSource: finding.SampledCalls,
	// A writer without a WriteString of its own copies the string. Allocations
	// further in are the writer's.
	Callees: []string{"io.WriteString"},
	Yields:  []finding.Yield{{Callee: "io.WriteString", To: nil}},
	Claims:  finding.OfKinds(source.BytesToString, source.StringToBytes),
	Saves:   evidence.Range{Low: 0.6, High: 1},
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		if c.Callee != "" {
			f.Title = "io.WriteString copies the string: the writer has no WriteString"
			f.Remedy = "Hold the text as bytes, or give the writer a WriteString method; for writers of a library, append to a buffer and Write that."
			f.Example = "buf = append(buf[:0], s...)\nw.Write(buf)"
			return
		}
		switch c.Expression.Kind {
		case source.StringToBytes:
			f.Title = "a string is copied into bytes" + quoted(c.Expression)
		case source.BytesToString:
			f.Title = "bytes are copied into a string" + quoted(c.Expression)
		}
	},
}

// quoted returns the text of an expression after a colon, or "" if it is not known.
func quoted(a source.Allocation) string {
	if a.Text == "" {
		return ""
	}
	return ": " + a.Text
}
