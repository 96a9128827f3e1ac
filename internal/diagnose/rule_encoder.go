package diagnose

import (
	"fmt"
	"strings"
)

func init() {
	register(Rule{
		Name:  ruleEncoder,
		Title: "garbage of an encoder or decoder",
		Doc: `Looks for what is allocated through encoders, decoders, compressors, regular expressions and the formatting of
times, by the call path: High confidence, but how much a remedy saves depends on what is encoded.`,
		Remedy: "Keep the encoder and its buffer and use them again.",
		Example: `var encoders = sync.Pool{New: func() any { return newEncoder() }} // with its buffer

enc := encoders.Get().(*encoder)
defer encoders.Put(enc)
enc.Reset(w)`,
		Risk: "An encoder serves one goroutine at a time.",
		Find: fromCauses(ruleEncoder, 0.3, 1, func(e *Evidence, c *cause, f *Finding) {
			f.Title = "garbage of " + shortName(c.callee)
			for _, r := range encoders {
				if strings.HasPrefix(c.callee, r.prefix) {
					f.Remedy, f.Example = r.remedy, r.example
					break
				}
			}
			if f.Change != nil {
				f.Title += fmt.Sprintf(", made anew at line %d", f.Change.Line)
			}
		}),
	})
}

// encoders are remedies by the beginning of a function's name; the first that
// fits counts.
var encoders = []struct{ prefix, remedy, example string }{
	{"regexp.MustCompile", compileOnce, "var word = regexp.MustCompile(`\\w+`) // of the package, not of the function"},
	{"regexp.Compile", compileOnce, "var word = regexp.MustCompile(`\\w+`) // of the package, not of the function"},
	{"regexp.Match", compileOnce, "var word = regexp.MustCompile(`\\w+`) // of the package, not of the function"}, // the functions; methods begin with a type
	{"regexp/syntax.", compileOnce, "var word = regexp.MustCompile(`\\w+`) // of the package, not of the function"},
	{"regexp.", "Ask for indices instead of new slices and strings, or search with strings and bytes where no pattern is needed.",
		"loc := re.FindStringSubmatchIndex(s)"},
	{"compress/", "Keep the writer or reader and Reset it: it is hundreds of kilobytes of tables.", `var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

zw := writers.Get().(*gzip.Writer)
defer writers.Put(zw)
zw.Reset(w)`},
	{"github.com/klauspost/compress/", "Keep the writer or reader and Reset it.", "zw.Reset(w)"},
	{"time.Time.", "Append the time to a buffer that is used again; format one time a second where that is enough.",
		"buf = t.AppendFormat(buf[:0], time.RFC3339)"},
	{"time.Parse", "Parse a fixed layout by hand, or keep numbers instead of text.",
		"year, err := strconv.Atoi(s[:4]) // of 2006-01-02\nmonth, err := strconv.Atoi(s[5:7])"},
	{"encoding/json.Marshal", "Encode into a buffer that is used again, or generate the encoder.", `b := pool.Get().(*bytes.Buffer)
defer pool.Put(b)
b.Reset()
err := json.NewEncoder(b).Encode(v)`},
	{"encoding/json.Unmarshal", "Decode into a value that is used again, name only the fields that are needed, or generate the decoder.", "clear(v.Items)\nerr := json.Unmarshal(data, &v)"},
	{"encoding/json.", "Keep the encoder with its buffer, name only the fields that are needed, or generate the code.",
		"enc := json.NewEncoder(&buf) // once\nbuf.Reset()\nerr := enc.Encode(v)"},
	{"encoding/gob.", "Keep the encoder for the connection: each new one sends and compiles the types again.", "enc := gob.NewEncoder(conn) // once for each connection"},
	{"encoding/binary.", "Use the Append and Put functions of a byte order instead of reflection.", "buf = binary.LittleEndian.AppendUint32(buf, n)"},
	{"encoding/base64.", "Use AppendEncode and AppendDecode with a buffer that is used again.", "buf = base64.StdEncoding.AppendEncode(buf[:0], data)"},
	{"encoding/hex.", "Use AppendEncode and AppendDecode with a buffer that is used again.", "buf = hex.AppendEncode(buf[:0], data)"},
	{"encoding/csv.", "Set ReuseRecord, and copy what is kept.", "r.ReuseRecord = true"},
	{"google.golang.org/protobuf/proto.Marshal", "Append to a buffer that is used again: proto.MarshalOptions.MarshalAppend.",
		"buf, err = proto.MarshalOptions{}.MarshalAppend(buf[:0], m)"},
	{"google.golang.org/protobuf/proto.Unmarshal", "Unmarshal into a message that is used again; it is reset first.",
		"err := proto.Unmarshal(data, m) // m from a pool, not new(pb.Message)"},
	{"google.golang.org/protobuf/", "Use MarshalAppend with a buffer that is used again, and Reset messages instead of making new ones.",
		"buf, err = proto.MarshalOptions{}.MarshalAppend(buf[:0], m)"},
}

const compileOnce = "Compile the expression once, in a variable of the package."
