package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var encoder = &finding.Rule{
	Name:  "encoder",
	Title: "garbage of an encoder or decoder",
	Doc: `Finds allocations through encoders, decoders, compressors, regular expressions and the formatting of times: by
the call path. The confidence is high, but the saving depends on the encoded values.`,
	Remedy:  "Keep one encoder for each writer, encode to where the bytes go, or generate the code.",
	Example: "enc := newEncoder(w) // once for each writer\nerr := enc.Encode(v)",
	Risk:    "An encoder serves one goroutine at a time.",
	Callees: []string{"encoding/", "compress/", "regexp.", "regexp/syntax.", "time.Time.Format", "time.Time.AppendFormat",
		"time.Parse", "google.golang.org/protobuf/", "github.com/golang/protobuf/", "github.com/gogo/protobuf/",
		"github.com/klauspost/compress/", "gopkg.in/yaml", "github.com/goccy/", "github.com/json-iterator/"},
	Saves:   evidence.Range{Low: 0.3, High: 1},
	Without: []string{"regexp.Compile", "regexp.MustCompile", "regexp.Match", "regexp/syntax.", "time.Parse"},
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		f.Title = "garbage of " + profile.ShortName(c.Callee)
		if finding.HasPrefix(c.Callee, stateless) {
			f.Risk = "Low."
		}
		if decoders.MatchString(c.Callee) {
			f.Remedy, f.Example, f.Risk = decodeFields, "var v struct{ ID string } // the fields that are read\nerr := decode(data, &v)", "Low."
		}
		for _, r := range encoders {
			if strings.HasPrefix(c.Callee, r.prefix) {
				f.Remedy, f.Example = r.remedy, r.example
				if r.kept == "" {
					break
				}
				if fate := finding.Fate(e, c); !fate.Dies {
					f.Remedy, f.Example = r.kept, r.keptExample
					if e.Source != nil {
						f.Remedy += " " + finding.Because("Nothing can be used again here", "anything can be used again here", fate)
					}
				}
				break
			}
		}
		if back := roundTrip(e, c); back != "" {
			f.Title = "JSON text is made and read again, at " + back
			f.Remedy = "The text only converts one value to another, or copies it: assign the fields directly, with type " +
				"assertions where the source is a map and slices.Clone for slices, or keep the converted value while its source stays."
			f.Example = "c := Condition{Kind: m[\"kind\"].(string)} // no text in between\n// or, for a copy of one type:\nc := *r\nc.Keys = slices.Clone(r.Keys)"
			f.Risk = "What the tags of the fields rename or leave out has to be done by hand."
		}
		poolForEachCall(e, c.Site, f)
		if f.Change != nil {
			f.Title += fmt.Sprintf(", created again at line %d", f.Change.Line)
		}
	},
}

// roundTrip returns the line at the other end of a round trip through JSON: of json.Marshal, the
// line that decodes its text, and of json.Unmarshal, the line that has made its text, in the same
// function or in one that is called for the text. It returns "" if there is none.
func roundTrip(e *evidence.Evidence, c *finding.Cause) string {
	if !strings.HasPrefix(c.Callee, "encoding/json.") {
		return ""
	}
	within := e.Source.Within(c.Site.File, c.Site.Line)
	for _, made := range within {
		if made.Kind != source.Call || !strings.HasPrefix(made.Callee, "encoding/json.Marshal") {
			continue
		}
		line, _ := e.Source.Line(made.File, made.Line)
		text := assigned.FindStringSubmatch(line)
		for _, read := range within {
			reads := read.Kind == source.Call && read.Callee == "encoding/json.Unmarshal"
			if text == nil || !reads || read.Line <= made.Line || !strings.Contains(read.Text, "("+text[1]+", ") {
				continue
			}
			switch c.Site.Line {
			case made.Line:
				return finding.FileAndLine(read.Position)
			case read.Line:
				return finding.FileAndLine(made.Position)
			}
		}
	}
	callers := c.Site.Callers()
	if made := madeFor(e, callers[0]); made.Line > 0 {
		return finding.FileAndLine(made)
	}
	if len(callers) > 1 && madeFor(e, callers[1]).Line == c.Site.Line {
		return finding.FileAndLine(source.Position{File: callers[1].File, Line: callers[1].Line})
	}
	return ""
}

// madeFor returns the place of json.Marshal in a function that is called for the text that a line's
// json.Unmarshal reads, as in json.Unmarshal([]byte(r.String()), &c).
func madeFor(e *evidence.Evidence, at evidence.Frame) (made source.Position) {
	reads := 0
	for _, a := range e.Source.Allocations(at.File, at.Line) {
		if a.Kind != source.Call {
			continue
		}
		if a.Callee == "encoding/json.Unmarshal" {
			reads = a.Column
			continue
		}
		for _, b := range e.Source.Of(a.Callee) {
			if reads > 0 && a.Column > reads && strings.HasPrefix(b.Callee, "encoding/json.Marshal") {
				made = b.Position
			}
		}
	}
	return made
}

// assigned finds the first variable that a line gives a value.
var assigned = regexp.MustCompile(`(\w+)(?:, \w+)? :?= `)

// stateless are functions and methods without state, which goroutines may call concurrently.
var stateless = []string{"google.golang.org/protobuf/proto.", "regexp.", "regexp/syntax.", "time.", "encoding/hex.", "encoding/base64.", "encoding/binary."}

// An encoderRemedy is a remedy with an example. If it reuses memory that was returned to the
// caller, there is another pair for results that are kept.
type encoderRemedy struct{ prefix, remedy, example, kept, keptExample string }

// encoders has the remedies by the beginning of a function's name. The first that fits counts.
var encoders = []encoderRemedy{
	{prefix: "regexp.MustCompile", remedy: compileOnce, example: compiledOnce},
	{prefix: "regexp.Compile", remedy: compileOnce, example: compiledOnce},
	{prefix: "regexp.Match", remedy: compileOnce, example: compiledOnce}, // the functions; methods begin with a type
	{prefix: "regexp/syntax.", remedy: compileOnce, example: compiledOnce},
	{prefix: "regexp.(*Regexp).FindAllStringIndex", remedy: nextMatch, example: nextMatchExample},
	{prefix: "regexp.(*Regexp).FindAllIndex", remedy: nextMatch, example: nextMatchExample},
	{prefix: "regexp.(*Regexp).FindAllStringSubmatchIndex", remedy: nextMatch, example: nextMatchExample},
	{prefix: "regexp.(*Regexp).FindAllSubmatchIndex", remedy: nextMatch, example: nextMatchExample},
	{prefix: "regexp.(*Regexp).FindStringIndex", remedy: searchPlainly, example: searchPlainlyExample},
	{prefix: "regexp.(*Regexp).FindIndex", remedy: searchPlainly, example: searchPlainlyExample},
	{prefix: "regexp.(*Regexp).FindStringSubmatchIndex", remedy: searchPlainly, example: searchPlainlyExample},
	{prefix: "regexp.(*Regexp).FindSubmatchIndex", remedy: searchPlainly, example: searchPlainlyExample},
	{prefix: "regexp.(*Regexp).Match", remedy: searchPlainly, example: searchPlainlyExample},
	{prefix: "regexp.(*Regexp).ReplaceAll", remedy: "Replace with a strings.Replacer, which writes to where the text goes, where no pattern is needed.",
		example: "var escape = strings.NewReplacer(\"<\", \"&lt;\")\nescape.WriteString(w, s)"},
	{prefix: "regexp.", remedy: "Ask for indices instead of new slices and strings, or search with strings and bytes where no pattern is needed.",
		example: "loc := re.FindStringSubmatchIndex(s)"},
	{"compress/gzip.NewReader", "Keep the reader and Reset it: its tables and its window take about 40 KiB.", `var readers = sync.Pool{New: func() any { return new(gzip.Reader) }}

zr := readers.Get().(*gzip.Reader)
defer readers.Put(zr)
err := zr.Reset(r)`, "Reset the reader where it is kept instead of making another: its tables and its window take about 40 KiB.", "err := zr.Reset(r)"},
	{"compress/", "Keep the writer or reader and Reset it: it is hundreds of kilobytes of tables.", `var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

zw := writers.Get().(*gzip.Writer)
defer writers.Put(zw)
zw.Reset(w)`, "Reset the writer or reader where it is kept instead of making another: it is hundreds of kilobytes of tables.", "zw.Reset(w)"},
	{prefix: "github.com/klauspost/compress/", remedy: "Reset the writer or reader where it is kept instead of making another.", example: "zw.Reset(w)"},
	{"time.Time.", "Append the time to a reused buffer; format one time a second where that is enough.",
		"buf = t.AppendFormat(buf[:0], time.RFC3339)", "Append the time to the text that it is for; format " +
			"one time a second where that is enough.",
		"line = t.AppendFormat(line, time.RFC3339)"},
	{prefix: "time.Parse", remedy: "Parse a fixed layout by hand, or keep numbers instead of text.",
		example: "year, err := strconv.Atoi(s[:4]) // of 2006-01-02\nmonth, err := strconv.Atoi(s[5:7])"},
	{prefix: "encoding/json.MarshalIndent", remedy: "Indent only text that people read; else encode to where the bytes go.",
		example: "err := json.NewEncoder(w).Encode(v)"},
	{"encoding/json.Marshal", "Encode into a reused buffer, or generate the encoder.", `b := pool.Get().(*bytes.Buffer)
defer pool.Put(b)
b.Reset()
err := json.NewEncoder(b).Encode(v)`, "Encode to where the bytes go, let the caller pass in the buffer, or generate the encoder.", "err := json.NewEncoder(w).Encode(v)"},
	{prefix: "encoding/json.(*Decoder).", remedy: "Name only the fields that are needed, or generate the decoder. For one value, fill a buffer from a " +
		"pool and call json.Unmarshal, which refuses more text after the value: each Decoder makes " +
		"a buffer of its own.",
		example: "b.Reset() // a bytes.Buffer from a pool\n_, err := b.ReadFrom(r)\nerr = json.Unmarshal(b.Bytes(), &v)"},
	{prefix: "encoding/json.Unmarshal", remedy: "Name only the fields that are needed, or generate the decoder.",
		example: "var v struct{ ID string } // not map[string]any\nerr := json.Unmarshal(data, &v)"},
	{prefix: "encoding/json.", remedy: "Name only the fields that are needed, or generate the code. If an encoder is made for each value, keep one for each writer.",
		example: "enc := json.NewEncoder(w) // once for each writer\nerr := enc.Encode(v)"},
	{prefix: "encoding/xml.NewEncoder", remedy: pooledWriter, example: pooledWriterExample},
	{prefix: "encoding/xml.Marshal", remedy: pooledWriter, example: pooledWriterExample},
	{prefix: "encoding/xml.(*Encoder)", remedy: "Name only the fields that are needed, or write the elements with EncodeToken. If an encoder is made for each value, keep one for each writer.",
		example: "enc := xml.NewEncoder(w) // once for each writer\nerr := enc.Encode(v)"},
	{prefix: "encoding/xml.", remedy: "Read tokens (RawToken where names need no translation) and decode only the elements that are needed. A Decoder cannot be used again.",
		example: "t, err := dec.RawToken()"},
	{prefix: "encoding/gob.(*Decoder)", remedy: "Keep the decoder for the connection: each new one compiles the types again. Decode into a reused value.",
		example: "dec := gob.NewDecoder(conn) // once for each connection"},
	{prefix: "encoding/gob.", remedy: "Keep the encoder for the connection: each new one sends and compiles the types again.",
		example: "enc := gob.NewEncoder(conn) // once for each connection"},
	{prefix: "encoding/binary.", remedy: "Use the Append and Put functions of a byte order instead of reflection.", example: "buf = binary.LittleEndian.AppendUint32(buf, n)"},
	{"encoding/base64.", "Use AppendEncode and AppendDecode with a reused buffer.", "buf = base64.StdEncoding.AppendEncode(buf[:0], data)",
		"Append to the bytes that the result is for: " +
			"AppendEncode and AppendDecode.", "dst = base64.StdEncoding.AppendEncode(dst, data)"},
	{"encoding/hex.", "Use AppendEncode and AppendDecode with a reused buffer.", "buf = hex.AppendEncode(buf[:0], data)",
		"Append to the bytes that the result is for: " +
			"AppendEncode and AppendDecode.", "dst = hex.AppendEncode(dst, data)"},
	{"encoding/csv.", "Set ReuseRecord: no record outlives the round that reads it.", "r.ReuseRecord = true",
		"Keep the fields that are needed, not the record.", "name := strings.Clone(record[0])"},
	{"google.golang.org/protobuf/proto.Marshal", "Append to a reused buffer: proto.MarshalOptions.MarshalAppend.",
		"buf, err = proto.MarshalOptions{}.MarshalAppend(buf[:0], m)", "Append to the bytes that the result " +
			"is for: proto.MarshalOptions.MarshalAppend.",
		"dst, err = proto.MarshalOptions{}.MarshalAppend(dst, m)"},
	{prefix: "google.golang.org/protobuf/encoding/protojson.Marshal", remedy: "Append to the bytes that the result is for: protojson.MarshalOptions.MarshalAppend.",
		example: "dst, err = protojson.MarshalOptions{}.MarshalAppend(dst, m)"},
	{prefix: "google.golang.org/protobuf/proto.Clone", remedy: "Share messages that nobody changes afterwards, and clone only the others.",
		example: "all = append(all, m) // instead of proto.Clone(m), where neither side changes m"},
	{prefix: "google.golang.org/protobuf/proto.MarshalOptions", remedy: "Append to the bytes that the result is for: proto.MarshalOptions.MarshalAppend.",
		example: "dst, err = proto.MarshalOptions{}.MarshalAppend(dst, m)"},
}

// decoders matches functions that decode, for which the texts about encoders are wrong.
var decoders = regexp.MustCompile(`(Unmarshal|Decod|Parse|NewReader|\(\*Reader\))`)

const decodeFields = "Decode only the fields that are needed, into a reused value, or generate the decoder. Cache the " +
	"result while the input stays the same, and stream a large input, one element after the other."

const nextMatch = "It returns indices already, and a slice for each match. Look for one match after the other with FindStringSubmatchIndex " +
	"where the first few are enough, or search with strings and bytes where no pattern is needed."

const nextMatchExample = "for i := strings.IndexByte(s, '$'); i >= 0; i = next(s, i) { // no pattern"

const searchPlainly = "Search with strings and bytes where no pattern is needed, or rule most texts out before the pattern."

const searchPlainlyExample = "if strings.Contains(s, \"://\") && link.MatchString(s) {"

// bufio.NewWriter returns its argument if that is large enough already.
const pooledWriter = "Hand xml.NewEncoder a *bufio.Writer from a pool: without one, each Encoder makes 4 KiB for it."

const pooledWriterExample = `bw := writers.Get().(*bufio.Writer) // of a sync.Pool
defer writers.Put(bw)
bw.Reset(w)
err := xml.NewEncoder(bw).Encode(v)`

const compileOnce = "Compile the expression once: in a variable of the package, or in a field beside the value that its text depends on."

const compiledOnce = "var word = regexp.MustCompile(`\\w+`) // of the package, not of the function"
