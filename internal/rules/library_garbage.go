package rules

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
)

var libraryGarbage = &Rule{
	Name:  "library-garbage",
	Title: "the result of a library call is garbage soon",
	Doc: `Looks for allocations through functions of libraries that no other rule knows, and that do not survive.
The path says who allocates; whether it can be spared is for the reader to judge, so that the range begins low.`,
	Remedy: "Use a variant that writes into memory of the caller's, or do without the result; keep a result that is the same in every call.",
	Example: `host := lookup(name) // once, where name does not change
for _, r := range requests {
	buf = r.AppendTo(buf[:0], host) // instead of s := r.String(host)
}`,
	Risk:         "Low.",
	OtherCallees: true,
	Declines:     func(callee string) bool { return hasPrefix(callee, serving) },
	Saves:        evidence.Range{Low: 0.2, High: 1},
	Without:      []string{"strings.", "strconv.", "slices.", "net/url."},
	Words: func(e *evidence.Evidence, c *Cause, f *Finding) {
		f.Title = "garbage of " + shortName(c.Callee)
		f.Confidence = evidence.Medium
		i := slices.IndexFunc(sparing, func(v variant) bool { return hasPrefix(c.Callee, v.prefixes) })
		if f.prose = i < 0; f.prose {
			f.Remedy = "Call it less often, or keep its result where it is the same in every call; look for a variant that writes into memory of the caller's."
			return
		}
		f.Remedy, f.Example = sparing[i].remedy, sparing[i].example
	},
}

// serving are functions that run as long as the program does: nobody can call
// them less often.
var serving = []string{"testing.", "net/http.(*Server).", "net/http.(*conn).", "net/http.Serve", "net/http.ListenAndServe",
	"net/http.HandlerFunc.", "net/http.serverHandler.", "net/http.(*ServeMux).ServeHTTP", "net/http/httptest."}

// variant is a way to do with less than functions, by the beginning of their
// names, allocate. Its example fits all of them.
type variant struct {
	prefixes        []string
	remedy, example string
}

// sparing are the variants that are known; the first that fits counts.
var sparing = []variant{
	{[]string{"strings.SplitN", "strings.SplitAfterN"}, "Cut one part after the other: that makes no slice.", "before, after, found := strings.Cut(s, \",\")"},
	{[]string{"strings.Split", "strings.genSplit"}, "Range over the parts, or cut one after the other: neither makes a slice.", "for part := range strings.SplitSeq(s, \",\") {"},
	{[]string{"strings.FieldsFunc"}, "Range over the fields: that makes no slice.", "for field := range strings.FieldsFuncSeq(s, isSeparator) {"},
	{[]string{"strings.Fields"}, "Range over the fields: that makes no slice.", "for field := range strings.FieldsSeq(s) {"},
	{[]string{"strings.ToLower", "strings.ToUpper"}, "Compare with strings.EqualFold, or keep the form that is needed.", "if strings.EqualFold(a, b) {"},
	{[]string{"strings.Replace", "strings.(*Replacer).", "strings.NewReplacer"}, "Write through one strings.Replacer, which is kept, to where the text goes.", "var escape = strings.NewReplacer(\"<\", \"&lt;\")\nescape.WriteString(w, s)"},
	{[]string{"strings.Join"}, "Write the parts where they go.", "for _, p := range parts {\n\tio.WriteString(w, p)\n}"},
	{[]string{"strconv.Format", "strconv.Itoa"}, "Append to a buffer that is used again.", "buf = strconv.AppendInt(buf[:0], n, 10)"},
	{[]string{"strconv.Quote"}, "Append to a buffer that is used again.", "buf = strconv.AppendQuote(buf[:0], s)"},
	{[]string{"slices.Collect", "slices.AppendSeq"}, "Range over the sequence itself.", "for v := range maps.Values(m) {"},
	{[]string{"math/rand.New", "math/rand/v2.New"}, "Keep the generator, or use the package's functions.", "n := rand.IntN(100)"},
	{[]string{"crypto/md5.", "crypto/sha1.", "crypto/sha256.", "crypto/sha512."}, "Keep the hash and Reset it, or use the package's Sum function, which returns an array.", "sum := sha256.Sum256(data)"},
	{[]string{"hash/"}, "Keep the hash and Reset it.", "h.Reset()"},
	{[]string{"net/url.ParseQuery", "net/url.parseQuery", "net/url.(*URL).Query"}, "Read single parameters without a map of all.",
		"for p := range strings.SplitSeq(r.URL.RawQuery, \"&\") {\n\tname, value, _ := strings.Cut(p, \"=\")\n\t…\n}"},
	{[]string{"net/url.Parse", "net/url.parse"}, "Parse a constant text once, and keep the result.", "var base, err = url.Parse(address) // once"},
	{[]string{"net/http.Header.Set"}, "For a value that is always the same, assign a slice that is made once, under the canonical name: Set makes one each time.",
		"var jsonType = []string{\"application/json\"} // nobody changes it\n\nw.Header()[\"Content-Type\"] = jsonType"},
	{[]string{"context.With"}, "Make one context for the request, not one for each step of it.",
		"ctx, cancel := context.WithTimeout(r.Context(), limit) // once\ndefer cancel()\nfor _, s := range steps {\n\ts.do(ctx)\n}"},
}
