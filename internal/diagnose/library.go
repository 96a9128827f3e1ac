package diagnose

import "strings"

// Names of rules that others have to know.
const (
	ruleArena      = "arena"
	ruleBuffer     = "request-buffer"
	ruleFormatting = "formatting"
	ruleEncoder    = "encoder"
	ruleTimer      = "timer"
	ruleConversion = "string-conversion"
	ruleConcat     = "string-concatenation"
	ruleAppend     = "append-without-room"
	ruleMapSize    = "map-without-size"
	ruleBoxing     = "boxing"
	ruleClosure    = "closure"
	ruleGrowth     = "unbounded-growth"
	ruleLibrary    = "library-garbage"
)

// libraries are the functions of libraries whose allocations have a remedy of
// their own, by the beginning of their names.
var libraries = []struct {
	rule     string
	prefixes []string
}{
	{ruleTimer, []string{"time.After", "time.NewTimer", "time.NewTicker", "time.Tick", "time.newTimer"}},
	{ruleConversion, []string{"io.WriteString"}}, // of a writer that has no WriteString of its own
	{ruleFormatting, []string{"fmt.", "log.", "log/slog.", "reflect.", "internal/reflectlite.", "sort.Slice",
		"text/template.", "html/template."}},
	{ruleEncoder, []string{"encoding/", "compress/", "regexp.", "regexp/syntax.", "time.Time.Format", "time.Time.AppendFormat",
		"time.Parse", "google.golang.org/protobuf/", "github.com/golang/protobuf/", "github.com/gogo/protobuf/",
		"github.com/klauspost/compress/", "gopkg.in/yaml", "github.com/goccy/", "github.com/json-iterator/"}},
	{ruleBuffer, []string{"bytes.(*Buffer).", "bytes.NewBuffer", "bytes.growSlice", "bufio.", "io.ReadAll", "io.Copy",
		"io.copyBuffer", "os.ReadFile"}},
	{ruleAppend, []string{"strings.(*Builder).Write"}},
}

// libraryRule returns the rule for what is allocated through a path of
// functions, the outermost first, and the outermost that the rule knows. What
// is printed into a buffer is the buffer's growth, not the printing's, and what
// a writer does with a string its own.
func libraryRule(below []string) (rule, function string) {
	for i, name := range below {
		for _, l := range libraries {
			if !hasPrefix(name, l.prefixes) {
				continue
			}
			inner, through := libraryRule(below[i+1:])
			if strings.HasPrefix(name, "fmt.Fprint") && (inner == ruleBuffer || inner == ruleAppend) ||
				name == "io.WriteString" && inner != "" {
				return inner, through
			}
			return l.rule, name
		}
	}
	return "", ""
}

func hasPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
