package rules

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/resident"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var outsideHeap = &finding.Rule{
	Name:  "outside-heap",
	Title: "memory outside the Go heap",
	Doc: `Finds resident memory that is not Go's: the resident set less what the runtime has and did not give back, at the
start and at the end of the observation, and mapped files apart where the process runs on this machine. Heap profiles do
not show such memory. Memory that rises and falls again is found, too: finalizers free it, and they only run after a
collection. The lines that call into C or that map files come from the CPU profile, else from the source. It is
wrong if the memory is the purpose of the C library, such as the cache of an embedded database.`,
	Remedy:  "Find the calls into C, and " + freeInC,
	Example: "text := C.CString(name)\ndefer C.free(unsafe.Pointer(text))",
	Risk:    "Low. Memory that C still uses must not be freed.",
	Find:    findOutsideHeap,
}

const freeInC = "free what C allocates there, on every path: C.free for C.malloc, C.CString and C.CBytes, and the library's own function for the rest. " +
	"No Go profile shows memory of C: a profiler of its allocator does (heaptrack, jemalloc's, or memleak of bcc), " +
	"by call stacks."

const (
	// largeOutside and growsOutside are the sizes in bytes at which memory outside Go is worth
	// a finding. Libraries, thread stacks and the C allocator itself take some megabytes.
	largeOutside = 64 << 20
	growsOutside = 8 << 20
)

func findOutsideHeap(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	all := e.Runtime.Resident
	if len(all) == 0 {
		return nil
	}
	var found []finding.Finding
	first, last := &all[0], &all[len(all)-1]
	if f, ok := grownFiles(e, first, last); ok {
		found = append(found, f)
	}
	now, known := last.Outside()
	if !known {
		return found
	}
	before, compares := first.Outside()
	compares = compares && len(all) > 1
	grown := now - before
	f := finding.Finding{Confidence: evidence.Medium, Exact: true,
		Evidence: []finding.Figure{{Name: "resident", Value: last.Bytes, Unit: "bytes"}, {Name: "outside Go", Value: now, Unit: "bytes"}}}
	switch {
	case compares && grown >= growsOutside && grown > now/50:
		f.Title = fmt.Sprintf("memory outside the Go heap grows: %s → %s", format.Bytes(before), format.Bytes(now))
		f.Evidence = append(f.Evidence, growthOf(grown, first, last))
		f.Confidence, f.Grows = evidence.High, true
	case now >= largeOutside && now > last.Bytes/4:
		f.Title = fmt.Sprintf("%s of %s resident memory is outside the Go heap", format.Bytes(now),
			format.Bytes(last.Bytes))
	default:
		if f, ok := lateFree(e, now); ok {
			found = append(found, f)
		}
		return found
	}
	f.Resident = evidence.Range{Low: max(0, grown) / last.Bytes, High: now / last.Bytes}
	if !compares {
		f.Resident.Low = 0
	}
	if line, calls := intoC(e); calls != "" {
		f.File, f.Line, f.Function = line.File, line.Line, line.Function
		f.Source, _ = e.Source.Line(f.File, f.Line)
		f.Remedy = fmt.Sprintf("%s calls into C (%s): %s", finding.FileAndLine(source.Position{File: line.File,
			Line: line.Line}), calls, freeInC)
		if at, ok := finalizer(e, line); ok {
			f.Remedy = closeEarly(at) + " " + f.Remedy
		}
	} else if line, ok := mapsMemory(e); ok {
		f.File, f.Line, f.Function = line.File, line.Line, line.Function
		f.Source, _ = e.Source.Line(f.File, f.Line)
		f.Remedy, f.Example, f.Risk = unmap, unmapExample, unmapRisk
	}
	return append(found, f)
}

const (
	unmap = "Unmap the old mapping when the file is loaded again, and on every path that returns: a mapping " +
		"stays until Munmap or Close is called, and no heap profile shows it."
	unmapDeleted = "The file is deleted already: closing or removing a file does not end its mapping."
	deleted      = " (deleted)" // Linux appends it to the name of a mapped file
	unmapExample = "old := table.Swap(mapped)\nif old != nil {\n\tunix.Munmap(*old) // once nobody reads it any more\n}"
	unmapRisk    = "Memory that is read after Munmap crashes the process: unmap when the last reader has ended."
)

// lateFree finds memory of C that has been freed by the end of the observation, in a program
// with finalizers: the observation allocates, so it brings a collection about. At every time,
// the runtime has at most the memory that it has ever obtained: the rest of a peak is not
// Go's. At the start, that part is known exactly.
func lateFree(e *evidence.Evidence, now float64) (f finding.Finding, ok bool) {
	peak := e.Runtime.Resident[0]
	most, _ := peak.Outside()
	for _, r := range e.Runtime.Resident {
		if outside := r.Written.Value - e.Runtime.Sys.Value; e.Runtime.Sys.OK && outside > most {
			peak, most = r, outside
		}
	}
	line, calls := intoC(e)
	of := "memory of C"
	if maps, ok := mapsMemory(e); ok && calls == "" {
		line, calls, of = maps, "Mmap", "mapped memory"
	}
	at, known := finalizer(e, line)
	if most-now < growsOutside || calls == "" || !known {
		return f, false
	}
	f = finding.Finding{
		Title: fmt.Sprintf("%s waits for finalizers: at least %s outside the Go heap at its peak, %s later",
			of, format.Bytes(most), format.Bytes(now)),
		File:     line.File,
		Line:     line.Line,
		Function: line.Function,
		Remedy:   closeEarly(at),
		Example:  "tree := parser.Parse(text)\ndefer tree.Close() // frees its memory outside the heap now",
		Evidence: []finding.Figure{
			{Name: "resident at the peak", Value: peak.Bytes, Unit: "bytes"},
			{Name: "outside Go at the peak", Value: most, Unit: "bytes"},
			{Name: "outside Go at the end", Value: now, Unit: "bytes"},
		},
		Confidence: evidence.Medium,
		Exact:      true,
		Resident:   evidence.Range{High: (most - now) / peak.Bytes},
	}
	f.Source, _ = e.Source.Line(f.File, f.Line)
	return f, true
}

// finalizer returns a line that sets a finalizer or cleanup, in the package of a line that
// calls into C.
func finalizer(e *evidence.Evidence, line evidence.Frame) (source.Position, bool) {
	for _, a := range e.Source.Calls("runtime.SetFinalizer", "runtime.AddCleanup") {
		if filepath.Dir(a.File) == filepath.Dir(line.File) {
			return source.Position{File: a.File, Line: a.Line}, true
		}
	}
	return source.Position{}, false
}

func closeEarly(at source.Position) string {
	return fmt.Sprintf("Free each object explicitly as soon as it is not needed, by its Close method or by the function that %s sets as finalizer, and defer that call. "+
		"Finalizers run only after a collection, and objects that are small for Go bring none about, however "+
		"much other memory they own.", finding.FileAndLine(at))
}

// grownFiles finds mapped files whose resident memory grew. The program itself and its
// libraries are paged in while it runs, but not without end.
func grownFiles(e *evidence.Evidence, first, last *evidence.Resident) (f finding.Finding, ok bool) {
	before := map[string]int64{}
	for _, m := range first.Mappings {
		if m.Kind == resident.File {
			before[m.Name] = m.Bytes
		}
	}
	var largest string
	var files, most, grown, now int64
	for _, m := range last.Mappings {
		more := m.Bytes - before[m.Name]
		if m.Kind != resident.File || more <= 0 || strings.Contains(m.Name, ".so") {
			continue
		}
		if files, grown, now = files+1, grown+more, now+m.Bytes; more > most {
			largest, most = m.Name, more
		}
	}
	if len(first.Mappings) == 0 || first == last || grown < growsOutside {
		return f, false
	}
	name := filepath.Base(largest)
	if files > 1 {
		name = fmt.Sprintf("%d files, such as %s,", files, name)
	}
	from, to := format.Bytes(float64(now-grown)), format.Bytes(float64(now))
	f = finding.Finding{
		Title:      fmt.Sprintf("mappings of %s grow: %s → %s", name, from, to),
		Remedy:     unmap,
		Example:    unmapExample,
		Risk:       unmapRisk,
		Confidence: evidence.Medium,
		Evidence: []finding.Figure{
			{Name: "resident", Value: last.Bytes, Unit: "bytes"},
			{Name: "of it mapped from files", Value: float64(now), Unit: "bytes"},
			growthOf(float64(grown), first, last),
		},
		Exact:    true,
		Resident: evidence.Range{Low: float64(grown) / last.Bytes, High: float64(now) / last.Bytes},
	}
	if strings.HasSuffix(largest, deleted) {
		f.Remedy = unmapDeleted + " " + unmap
	}
	if line, ok := mapsMemory(e); ok {
		f.File, f.Line, f.Function = line.File, line.Line, line.Function
		f.Source, _ = e.Source.Line(f.File, f.Line)
	}
	return f, true
}

func growthOf(bytes float64, first, last *evidence.Resident) finding.Figure {
	return finding.Figure{Name: "growth", Value: bytes / max(last.Taken.Sub(first.Taken), time.Second).Hours(), Unit: "bytes/hour"}
}

// intoC returns the line of the program that spends most CPU time in C, and the C function that
// it calls. Without samples in C, it returns a line whose source calls an allocating function
// of C. If neither is known, calls is "".
func intoC(e *evidence.Evidence) (line evidence.Frame, calls string) {
	type call struct {
		at evidence.Frame
		to string
	}
	weights, most := map[call]float64{}, 0.0
	if e.CPU != nil {
		for _, stack := range e.CPU.Stacks {
			path := e.Frames(stack)
			for i, f := range path {
				_, to, is := strings.Cut(f.Function, "._Cfunc_")
				for is && i+1 < len(path) && (!e.Owns(path[i+1]) || strings.Contains(path[i+1].Function, "._Cfunc_")) {
					i++
				}
				if !is || i+1 == len(path) {
					continue
				}
				c := call{path[i+1], to}
				if weights[c] += e.Of(stack).CPU; weights[c] > most {
					most, line, calls = weights[c], c.at, "C."+to
				}
				break
			}
		}
	}
	if calls != "" {
		return line, calls
	}
	for _, a := range e.Source.Calls("C.malloc", "C.calloc", "C.realloc", "C.CString", "C.CBytes") {
		return evidence.Frame{Function: a.In(), File: a.File, Line: a.Line}, a.Callee
	}
	return evidence.Frame{}, ""
}

// mapsMemory returns a line of the program that maps files or anonymous memory.
func mapsMemory(e *evidence.Evidence) (evidence.Frame, bool) {
	for _, a := range e.Source.Calls("syscall.Mmap", "golang.org/x/sys/unix.Mmap", "golang.org/x/sys/unix.MmapPtr", "github.com/edsrzf/mmap-go.Map",
		"github.com/edsrzf/mmap-go.MapRegion", "golang.org/x/exp/mmap.Open", "github.com/tysonmote/gommap.Map", "github.com/blevesearch/mmap-go.Map") {
		return evidence.Frame{Function: a.In(), File: a.File, Line: a.Line}, true
	}
	return evidence.Frame{}, false
}
