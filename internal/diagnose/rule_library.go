package diagnose

import "strings"

func init() {
	register(Rule{
		Name:  ruleLibrary,
		Title: "what a library call returns is garbage soon",
		Doc: `Looks for what is allocated through functions of libraries that no other rule knows, and that does not survive.
The path says who allocates; whether it can be spared is for the reader to judge, so that the range begins low.`,
		Remedy: "Use a variant that writes into memory of the caller's, or do without the result; keep what is the same in every call.",
		Example: `host := lookup(name) // once, where name does not change
for _, r := range requests {
	buf = r.AppendTo(buf[:0], host) // instead of s := r.String(host)
}`,
		Risk: "Low.",
		Find: fromCauses(ruleLibrary, 0.2, 1, func(e *Evidence, c *cause, f *Finding) {
			f.Title = "garbage of " + shortName(c.callee)
			f.Confidence = Medium
			for _, r := range sparing {
				if strings.HasPrefix(c.callee, r.prefix) {
					f.Remedy, f.Example = r.remedy, r.example
					break
				}
			}
		}),
	})
}

// sparing are variants of library functions that do with less, by the beginning
// of the function's name; the first that fits counts.
var sparing = []struct{ prefix, remedy, example string }{
	{"strings.Split", "Range over the parts, or cut one after the other: neither makes a slice.", "for part := range strings.SplitSeq(s, \",\") {"},
	{"strings.genSplit", "Range over the parts, or cut one after the other: neither makes a slice.", "for part := range strings.SplitSeq(s, \",\") {"},
	{"strings.Fields", "Range over the fields: that makes no slice.", "for field := range strings.FieldsSeq(s) {"},
	{"strings.ToLower", "Compare with strings.EqualFold, or keep the form that is needed.", "if strings.EqualFold(a, b) {"},
	{"strings.ToUpper", "Compare with strings.EqualFold, or keep the form that is needed.", "if strings.EqualFold(a, b) {"},
	{"strings.Replace", "Write through one strings.Replacer, which is kept, to where the text goes.", "var escape = strings.NewReplacer(\"<\", \"&lt;\")\nescape.WriteString(w, s)"},
	{"strings.Join", "Write the parts where they go.", "for _, p := range parts {\n\tio.WriteString(w, p)\n}"},
	{"strconv.", "Append to a buffer that is used again.", "buf = strconv.AppendInt(buf[:0], n, 10)"},
	{"slices.Collect", "Range over the sequence itself.", "for v := range maps.Values(m) {"},
	{"math/rand", "Keep the generator, or use the package's functions.", "n := rand.IntN(100)"},
	{"crypto/", "Keep the hash or cipher and Reset it; use the Sum function of the package, which returns an array.", "sum := sha256.Sum256(data)"},
	{"hash/", "Keep the hash and Reset it.", "h.Reset()"},
	{"net/url.", "Parse what is the same once; read single parameters without a map of all.",
		"for p := range strings.SplitSeq(r.URL.RawQuery, \"&\") {\n\tname, value, _ := strings.Cut(p, \"=\")\n\t…\n}"},
	{"context.", "Make one context for the request, not one for each step of it.",
		"ctx, cancel := context.WithTimeout(r.Context(), limit) // once\ndefer cancel()\nfor _, s := range steps {\n\ts.do(ctx)\n}"},
}
