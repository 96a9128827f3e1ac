package rules

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var formatting = &finding.Rule{
	Name:  "formatting",
	Title: "formatting by reflection on a hot path",
	Doc: `Finds allocations through fmt, log, reflect, sort.Slice and templates, and values that are boxed for a call of
them: by the call path. It is wrong if the output is the purpose of the program.`,
	Remedy: "Write the value with strconv.Append and append into a reused buffer; use a struct as a map's " +
		"key instead of a formatted string; slices.SortFunc instead of sort.Slice; log only after asking " +
		"whether the level is on.",
	Example: `buf = append(buf[:0], "user:"...)
buf = strconv.AppendInt(buf, id, 10)
// or as a key of a map, without text at all:
type key struct{ kind string; id int64 }`,
	Risk:    "Low.",
	Callees: formatters,
	Yields:  []finding.Yield{{Callee: "fmt.Fprint", To: []*finding.Rule{requestBuffer, appendWithoutRoom}}}, // printing into a buffer is the buffer's growth
	Claims: func(e *evidence.Evidence, s *evidence.Site, x evidence.Expression) finding.Claim {
		boxed := x.Kind == source.Boxing || x.Kind == source.New && strings.HasPrefix(x.Text, "variable ")
		if boxed && formatterOf(e, s) != "" {
			return finding.BySituation
		}
		return finding.Unclaimed
	},
	Saves: evidence.Range{Low: 0.5, High: 1},
	Work:  0.7,
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		callee := c.Callee
		if callee != "" {
			f.Title = profile.ShortName(callee) + " on a hot path"
		} else {
			callee = formatterOf(e, c.Site)
		}
		if strings.HasPrefix(callee, "fmt.") {
			f.Risk = "Low. What verbs such as %q and %v do has to be done by hand."
		}
		if nested(c.Site) {
			f.Title = "the text of an error that is nested many times"
			f.Remedy = "Each level of the error builds the text of all levels below it again, so the bytes grow with the square of " +
				"their number. Collect the errors in a slice and join them once, at the end; or print the first few and a count. " +
				"If a library joins them one at a time, look for a newer version of it."
			f.Example = "var all []error\nfor _, o := range orders {\n\tif err := check(o); err != nil {\n\t\tall = append(all, err)\n\t}\n}\nreturn errors.Join(all...)"
			return
		}
		if passesOn(e, c.Site, callee) {
			f.Remedy = "Format by hand where this function is called, or call it less often: the format and " +
				"its values come from the caller."
			f.Example = "s := \"user:\" + strconv.Itoa(id) // where logf(\"user:%d\", id) was called"
			return
		}
		for _, r := range formatRemedies {
			if strings.HasPrefix(callee, r.prefix) {
				f.Remedy, f.Example = r.remedy, r.example
				f.Prose = r.example == ""
				return
			}
		}
		f.Example, f.Prose = "", true
	},
}

// formatRemedies has the remedies by the beginning of a function's name. The first that fits
// counts. An empty example means that there is none.
var formatRemedies = []struct{ prefix, remedy, example string }{
	{"fmt.Errorf", "Return an error value that is made once where the text is always the same, or an error type whose Error method formats when it is asked.",
		"var errShort = errors.New(\"short record\")\n\ntype lineError struct{ line int }\n\nfunc (e *lineError) Error() string { return \"line \" + strconv.Itoa(e.line) }"},
	{"fmt.Sscan", "Parse the fields with strconv and strings.Cut.", "name, number, ok := strings.Cut(s, \"=\")\nn, err := strconv.Atoi(number)"},
	{"fmt.Fscan", "Read lines with bufio.Scanner, and parse the fields with strconv.", "for lines.Scan() {\n\tn, err := strconv.Atoi(lines.Text())\n}"},
	{"fmt.Scan", "Read lines with bufio.Scanner, and parse the fields with strconv.", "for lines.Scan() {\n\tn, err := strconv.Atoi(lines.Text())\n}"},
	{"fmt.Append", "Append the values with append and strconv instead of a format.", "buf = strconv.AppendInt(append(buf, \"user:\"...), id, 10)"},
	{"fmt.Fprint", "Append the text to a reused buffer, with append and strconv, and write the buffer.",
		"buf = strconv.AppendInt(append(buf[:0], \"user:\"...), id, 10)\n_, err := w.Write(buf)"},
	{"fmt.Print", "Append the text to a reused buffer, with append and strconv, and write the buffer.",
		"buf = strconv.AppendInt(append(buf[:0], \"user:\"...), id, 10)\n_, err := os.Stdout.Write(buf)"},
	{"fmt.", formatByHand, "buf = append(buf[:0], \"user:\"...)\nbuf = strconv.AppendInt(buf, id, 10)\n// or as a key of a map, without text at all:\ntype key struct{ kind string; id int64 }"},
	{"log/slog.(*Logger).LogAttrs", fewerAttributes, fewerAttributesExample},
	{"log/slog.LogAttrs", fewerAttributes, fewerAttributesExample},
	{"log/slog.", "Use LogAttrs with typed attributes, and compute expensive values only if the level is enabled.",
		"logger.LogAttrs(ctx, slog.LevelInfo, \"request\", slog.Int(\"status\", status))"},
	{"log.", "Log less on this path, or only if a level is enabled; log/slog's LogAttrs formats typed values without reflection.",
		"logger.LogAttrs(ctx, slog.LevelInfo, \"request\", slog.Int(\"status\", status))"},
	{"sort.Slice", "Use slices.SortFunc: it needs no reflection and no closure over the slice. slices.SortStableFunc keeps the order of equal elements.",
		"slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.id, b.id) })"},
	{"internal/reflectlite.", "Use slices.SortFunc instead of sort.Slice: it needs no reflection.",
		"slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.id, b.id) })"},
	{"reflect.DeepEqual", "Compare with maps.Equal, slices.Equal, == or field by field: DeepEqual walks the values by " +
		"reflection, and allocates for the keys of maps. Compare a version or a length first, if there is one.",
		"same := maps.Equal(old.members, s.members) // values that are comparable; maps.EqualFunc for others"},
	{"reflect.", "Look at the types once and keep the result by type, or handle the common types by a type switch before reflection.", ""},
	{"text/template.(*Template).Execute", executeRemedy, ""},
	{"html/template.(*Template).Execute", executeRemedy, ""},
	{"text/template.", parseRemedy, ""},
	{"html/template.", parseRemedy, ""},
}

const (
	formatByHand = "Write the value with strconv.Append and append into a reused buffer, or use a struct as a map's " +
		"key instead of a formatted string."
	fewerAttributes = "Give the attributes that are the same in every record to Logger.With once, and pass at most five with " +
		"the record: it holds five, and a slice is made for more. Or log a sample of the records."
	fewerAttributesExample = "logger = logger.With(slog.String(\"service\", name)) // once\n\n" +
		"logger.LogAttrs(ctx, slog.LevelInfo, \"request\", slog.Int(\"status\", status))"
	executeRemedy = "Keep the output of parts that do not change, or write them by generated code: a template is interpreted, by reflection."
	parseRemedy   = "Parse the template once, in a variable of the package or a field of the value that it belongs to."
)

// deeplyNested is the number of errors within each other from which on a path is of nested errors.
const deeplyNested = 4

// nested reports whether a site's memory is the text of errors within errors.
func nested(s *evidence.Site) bool {
	levels := 0
	for _, f := range s.Path {
		if strings.HasSuffix(f.Function, ").Error") {
			levels++
		}
	}
	return levels >= deeplyNested
}

// passesOn reports whether a site's line passes the variadic arguments of its own function to a
// formatter: f(format, values...).
func passesOn(e *evidence.Evidence, s *evidence.Site, formatter string) bool {
	return strings.HasPrefix(formatter, "fmt.") && slices.ContainsFunc(e.Source.Allocations(s.File, s.Line), func(a source.Allocation) bool {
		return a.Callee == formatter && strings.HasSuffix(a.Text, "...)")
	})
}

// formatterOf returns the function that formats in a site's line, or "".
func formatterOf(e *evidence.Evidence, s *evidence.Site) string {
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		if finding.HasPrefix(a.Callee, formatters) {
			return a.Callee
		}
	}
	return ""
}

var formatters = []string{"fmt.", "log.", "log/slog.", "reflect.", "internal/reflectlite.", "sort.Slice", "text/template.", "html/template."}
