package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var requestBuffer = &finding.Rule{
	Name:  "request-buffer",
	Title: "a buffer is made for every call",
	Doc: `Finds buffers of which next to nothing survives: byte slices, bytes.Buffer, bufio readers and writers, io.ReadAll.
The evidence is the call path, the type and survival. It proposes a pool only if the source shows that the buffer dies
with the function. Otherwise it names the place that keeps the buffer.`,
	Remedy: "Let the caller pass the buffer in and append to it, and give it its size at once.",
	Example: `func appendPage(dst []byte, p *Page) []byte { // the caller owns dst
	return append(dst, p.Text...)
}`,
	Risk:          "The caller must not use the buffer again while anything refers to it.",
	WithoutSource: "only buffers that functions of libraries make, and large ones that CPU samples show in the runtime's functions",
	Callees: []string{"bytes.(*Buffer).", "bytes.NewBuffer", "bytes.growSlice", "bufio.", "io.ReadAll", "io.Copy",
		"io.copyBuffer", "os.ReadFile"},
	Claims: func(_ *evidence.Evidence, _ *evidence.Site, x evidence.Expression) finding.Claim {
		switch x.Kind {
		case source.MakeSlice:
			return finding.ClaimIf(makesBytes(x))
		case source.Append:
			return finding.ClaimIf(x.Sized && makesBytes(x))
		case source.New:
			return finding.ClaimIf(isBuffer(x.Type))
		}
		return finding.Unclaimed
	},
	Saves: evidence.Range{Low: 0.6, High: 1},
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		f.Title = "a buffer is made for every call"
		if fn, ok := e.Source.Function(c.Site.File, c.Site.Line); ok && fn.Request {
			f.Title = "a buffer is made for every request"
		}
		if strings.HasPrefix(c.Callee, "bytes.(*Buffer).") {
			f.Title = "a buffer grows step by step in " + profile.ShortName(c.Callee) // one buffer may serve many calls
		} else if c.Callee != "" {
			f.Title += " by " + profile.ShortName(c.Callee)
		} else if c.Expression.Text != "" {
			f.Title += ": " + c.Expression.Text
		}
		if strings.HasSuffix(c.Callee, ").String") {
			f.Title = "the bytes of a buffer are copied into a string by " + profile.ShortName(c.Callee)
			f.Remedy = "Write the bytes directly to the destination, without a string in between."
			f.Example = "w.Write(b.Bytes()) // not io.WriteString(w, b.String())"
			f.Risk = "Low. A string is needed where the text outlives the buffer."
			return
		}
		if path := c.Site.Path; len(path) > 0 && path[0].Function == "io.copyBuffer" {
			f.Remedy, f.Example, f.Risk = copyRemedy, copyExample, copyRisk
			if called := calledBy(c.Site); called != "" && !strings.HasPrefix(called, "io.") {
				f.Title = strings.TrimSuffix(f.Title, profile.ShortName(c.Callee)) + profile.ShortName(called)
				f.Remedy, f.Example, f.Risk = copiedRemedy, copiedExample, copiedRisk
			}
			return
		}
		reuseBuffer(e, c, f)
		if finding.HasPrefix(c.Callee, resettable) && e.Source != nil {
			resetBuffer(e, c, f)
		}
	},
}

// resettable are functions whose results have a method Reset, which keeps the buffer.
var resettable = []string{"bufio.NewReader", "bufio.NewWriter"}

// resetBuffer recommends to reuse a reader or writer of bufio.
func resetBuffer(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
	f.Risk = "Low. Reset drops what a Reader has read ahead of its source, and what a Writer has not flushed."
	if fate := finding.Fate(e, c); !fate.Dies {
		f.Remedy = finding.Because("No pool", "it can come from a pool", fate) + " Where one is kept, Reset " +
			"it for the next source instead of making another, or let the caller pass one in."
		f.Example = "d.buf.Reset(src) // instead of d.buf = bufio.NewReader(src)"
		return
	}
	f.Remedy = "Take it from a pool, Reset it, and give it back when the call is done."
	f.Example = `var pool = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

r := pool.Get().(*bufio.Reader)
defer pool.Put(r)
r.Reset(src)
defer r.Reset(nil) // the pool must not keep src alive`
}

// A buffer of io.Copy cannot be taken from outside: io.CopyBuffer ignores the
// caller's if the destination has a ReadFrom, as connections and responses do.
const (
	copyRemedy = "If the source has its bytes in memory, give it a WriteTo method: io.Copy then needs no buffer. Otherwise call io.CopyBuffer with " +
		"a buffer from a pool, and hide the ReadFrom of the destination, which makes io.CopyBuffer ignore the buffer."
	copyExample = `var pool = sync.Pool{New: func() any { return new([32 << 10]byte) }}

b := pool.Get().(*[32 << 10]byte)
defer pool.Put(b)
_, err := io.CopyBuffer(struct{ io.Writer }{w}, r, b[:])`
	copyRisk = "Low. Without ReadFrom the system cannot copy from files and connections by itself: leave these as they are."
)

// Where a library copies, only the writer that it is given can spare its buffer.
const (
	copiedRemedy = "It copies with a buffer of its own: give its writer a ReadFrom method. A response has one, which a type that wraps an " +
		"http.ResponseWriter hides."
	copiedExample = `func (w *recorder) ReadFrom(r io.Reader) (int64, error) { return io.Copy(w.ResponseWriter, r) }`
	copiedRisk    = "A writer that counts or changes what it is given has to do so there, too."
)

// calledBy returns the function that a site's line calls on its path.
func calledBy(s *evidence.Site) string {
	i := slices.Index(s.Path, s.Frame)
	if i < 1 {
		return ""
	}
	return s.Path[i-1].Function
}

// readAll are functions that read all of something into one buffer.
var readAll = []string{"io.ReadAll", "io/ioutil.ReadAll", "os.ReadFile", "io/ioutil.ReadFile"}

// reuseBuffer recommends a pool, but only for a buffer that dies in the function, and a stream
// instead of a buffer for all.
func reuseBuffer(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
	poolBuffer(e, c, f)
	if finding.HasPrefix(c.Callee, readAll) {
		f.Remedy += " Or stream it: decode from the reader, or copy it in pieces to where it goes, and limit its size " +
			"(io.LimitReader, http.MaxBytesReader)."
	}
}

func poolBuffer(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
	size := ""
	if c.Alloc.Objects > 0 {
		size = " (" + format.Bytes(c.Alloc.Bytes/c.Alloc.Objects) + " on average)"
	}
	fate := finding.Fate(e, c)
	if fate.Dies {
		f.Remedy = "Take the buffer" + size + " from a pool and give it back when the call is done."
		f.Example = `var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

b := pool.Get().(*bytes.Buffer)
defer pool.Put(b)
b.Reset()`
		f.Risk = "Code that keeps a part of the buffer after it was given back reads what the next call writes. Do not give back buffers that " +
			"grew far beyond the usual."
		return
	}
	f.CPU.Low = 0 // some of the buffers are needed
	if f.Confidence == evidence.High {
		f.Confidence = evidence.Medium
	}
	f.Remedy = finding.Because("No pool for the buffer"+size, "the buffer"+size+" can come from a pool", fate) + " What remains: let the caller pass it in and append to it, " +
		"give it its size at once, or write to where the bytes go."
	if kept := finding.Receiver(e, c.Site); kept.Kind != "" {
		f.Remedy = fmt.Sprintf("Neither a pool nor the caller's buffer can replace it: %s keeps it (%s). What remains: keep no more than is used, "+
			"or make and replace fewer of them.", kept.Text, finding.FileAndLine(kept.Position))
		f.Example, f.Risk = "kept := bytes.Clone(b) // without room that is not used", "The copy costs one allocation more, of the size that is used."
	}
	if e.Source == nil || fate.Unknown && finding.Receiver(e, c.Site).Kind == "" {
		f.Remedy = "Find out whether anything keeps the buffer" + size + " or a part of it after the call. If nothing does, it can come from a pool; " +
			"otherwise let the caller pass it in, and give it its size at once."
	}
}

// makesBytes reports whether a slice is of bytes, or of unknown type and at least
// a kilobyte at a time: a buffer rather than objects worth an arena.
func makesBytes(x evidence.Expression) bool {
	return strings.HasSuffix(x.Type, "]byte") || x.Type == "" && x.Alloc.Objects > 0 && x.Alloc.Bytes/x.Alloc.Objects >= 1024
}

func isBuffer(t string) bool {
	switch strings.TrimPrefix(t, "*") {
	case "bytes.Buffer", "strings.Builder", "bufio.Reader", "bufio.Writer":
		return true
	}
	return strings.HasSuffix(t, "]byte")
}
