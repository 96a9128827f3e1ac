package rules

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/leak"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// endedByCollector returns the line of a function on the site's path that sets a finalizer or a
// cleanup.
func endedByCollector(e *evidence.Evidence, path []evidence.Frame) (*holder, evidence.Frame) {
	for _, f := range path {
		for _, a := range e.Source.Within(f.File, f.Line) {
			if a.Kind != source.Call {
				continue
			}
			at := evidence.Frame{Function: f.Function, File: f.File, Line: a.Line}
			switch {
			case strings.HasPrefix(a.Callee, "runtime.SetFinalizer"):
				return finalized, at
			case strings.HasPrefix(a.Callee, "runtime.AddCleanup"):
				return cleaned, at
			}
		}
	}
	return nil, evidence.Frame{}
}

// cycleOf returns the line that sets a finalizer in the package of a site, if the container that
// its objects are put into is their own field: they refer to each other, and a finalizer on any of
// them keeps them all.
func cycleOf(e *evidence.Evidence, s *evidence.Site, what source.Allocation) (*holder, evidence.Frame) {
	own := slices.ContainsFunc(e.Source.Allocations(s.File, s.Line), func(a source.Allocation) bool {
		return a.Kind == source.New && strings.TrimPrefix(a.Type, "*") == what.Owner
	})
	if what.Owner == "" || !own {
		return nil, evidence.Frame{}
	}
	var all []source.Allocation
	for _, a := range e.Source.Calls("runtime.SetFinalizer") {
		if filepath.Dir(a.File) == filepath.Dir(s.File) {
			all = append(all, a)
		}
	}
	if len(all) == 0 {
		return nil, evidence.Frame{}
	}
	// A method of the type that has the container is the likeliest of several.
	method := "(*" + what.Owner + ")."
	i := max(0, slices.IndexFunc(all, func(a source.Allocation) bool { return strings.Contains(a.In(), method) }))
	return finalized, evidence.Frame{Function: all[i].In(), File: all[i].File, Line: all[i].Line}
}

// deferredIn returns the defer statement of a loop on the site's path, or of one that its goroutine
// began with and that may never end.
func deferredIn(e *evidence.Evidence, s *evidence.Site, began bool) (*holder, evidence.Frame) {
	callers := s.Callers()
	if began {
		callers = slices.DeleteFunc(slices.Clone(s.Path), func(f evidence.Frame) bool { return !e.Owns(f) })
		callers = callers[max(0, len(callers)-1):]
	}
	for _, f := range callers {
		for _, a := range e.Source.Within(f.File, f.Line) {
			if a.Kind == source.Defer && a.InLoop {
				return deferred, evidence.Frame{Function: f.Function, File: f.File, Line: a.Line}
			}
		}
	}
	return nil, evidence.Frame{}
}

// isHandler reports whether a type is a function or handles requests.
func isHandler(typeName string) bool {
	return typeName == "net/http.RoundTripper" || strings.HasPrefix(typeName, "func(") ||
		strings.HasSuffix(typeName, "Func") || strings.HasSuffix(typeName, "Handler")
}

// largePooled is the mean size in bytes above which the objects of a pool are probably larger
// than most uses need.
const largePooled = 32 << 10

// heldBy returns the holder of a site's memory and the line that hands the memory to it, or nil
// if no holder is known.
func heldBy(e *evidence.Evidence, s *evidence.Site) (*holder, evidence.Frame) {
	if !s.Own || s.Live.Objects == 0 {
		return nil, evidence.Frame{}
	}
	for _, a := range e.Source.Chains(func(name string) bool { return isContext(name) || isHandler(name) }) {
		if !below(s, &a) {
			continue
		}
		at := evidence.Frame{Function: a.In(), File: a.File, Line: a.Line}
		if isContext(a.Type) {
			return chained, at
		}
		return wrapped, at
	}
	if h := through(s); h != nil {
		return h, s.Frame
	}
	if h, at := capturedBy(e, s, func(o *evidence.Site) bool { return o.Function == s.Function }); h != nil {
		return h, at
	}
	if h, at := endedByCollector(e, []evidence.Frame{s.Frame}); h != nil {
		return h, at
	}
	if s.Live.Bytes/s.Live.Objects < largePooled {
		return nil, evidence.Frame{}
	}
	for _, f := range s.Path[:min(len(s.Path), evidence.Outward)] {
		for _, a := range e.Source.Within(f.File, f.Line) {
			if a.Kind == source.Call && strings.HasPrefix(a.Callee, "sync.(*Pool).") {
				return pooled, evidence.Frame{Function: f.Function, File: f.File, Line: a.Line}
			}
		}
	}
	return nil, evidence.Frame{}
}

// writtenTo returns the holder of a site's memory if it is the array of a single buffer. The
// line is the one that writes to it or, where libraries do, the one that starts them.
func writtenTo(e *evidence.Evidence, s *evidence.Site) (*holder, evidence.Frame) {
	buffer := func(f evidence.Frame) bool {
		return strings.HasPrefix(f.Function, "bytes.(*Buffer).") || strings.HasPrefix(f.Function, "strings.(*Builder).")
	}
	if !s.Doubles || !slices.ContainsFunc(s.Path, buffer) {
		return nil, evidence.Frame{}
	}
	if s.Own {
		return written, s.Frame
	}
	if started, ok := leak.StarterOf(e, s.Path); ok {
		return written, started.Frame
	}
	calls := e.Source.Calls(commands...)
	if strings.HasPrefix(s.Path[len(s.Path)-1].Function, "os/exec.(*Cmd).") && len(calls) == 1 {
		return written, evidence.Frame{Function: calls[0].In(), File: calls[0].File, Line: calls[0].Line}
	}
	return nil, evidence.Frame{}
}

// commands are the calls that write the output of a command to a buffer.
var commands = []string{
	"os/exec.(*Cmd).Run", "os/exec.(*Cmd).Start", "os/exec.(*Cmd).Output", "os/exec.(*Cmd).CombinedOutput",
}

// handedOver returns a holder of functions in the same package that keeps as many of them
// as a site has objects: methods of an object that are handed over refer to the object.
// The functions are small, so few samples say how many of them survive.
func handedOver(e *evidence.Evidence, s *evidence.Site) (*holder, evidence.Frame) {
	pkg := profile.PackageOf(s.Function)
	return capturedBy(e, s, func(o *evidence.Site) bool { return o.Surviving() > 0.25 && profile.PackageOf(o.Function) == pkg })
}

// capturedBy returns the holder of functions that a matching site allocates through, if
// it has about as many live objects as a site or more.
func capturedBy(e *evidence.Evidence, s *evidence.Site, match func(*evidence.Site) bool) (*holder, evidence.Frame) {
	for i := range e.Sites {
		if o := &e.Sites[i]; o != s && o.Own && o.Live.Objects > s.Live.Objects/4 && match(o) {
			if h := through(o); h != nil && h.captures {
				return h, o.Frame
			}
		}
	}
	return nil, evidence.Frame{}
}

// cancelable are functions that make a context which can be cancelled.
var cancelable = []string{
	"context.WithCancel", "context.WithCancelCause", "context.WithTimeout", "context.WithDeadline",
}

// valueOf returns the line that makes contexts which stay, as a guess: a context keeps its values.
// The contexts take a small part of the memory, as nodes of a map, or as the contexts of the values
// themselves. Their Done makes a channel, elsewhere. Lines of the site's package go first.
func valueOf(e *evidence.Evidence, s *evidence.Site) (*holder, evidence.Frame) {
	made := func(c evidence.Callee) bool { return strings.HasPrefix(c.Function, "context.With") }
	pkg := profile.PackageOf(s.Function)
	var staying []*evidence.Site
	for i := range e.Sites {
		o := &e.Sites[i]
		stays := o.Live.Bytes > max(s.Live.Bytes/100, evidence.Negligible) && o.Surviving() > 0.75 && !o.Growth.Steady()
		h := through(o)
		if !o.Own || !stays || h != children && h != chained {
			continue
		}
		staying = append(staying, o)
		if h != children || profile.PackageOf(o.Function) != pkg {
			continue
		}
		if slices.ContainsFunc(o.Below, made) {
			return values, o.Frame
		}
		for _, a := range e.Source.Calls(cancelable...) {
			if filepath.Dir(a.File) == filepath.Dir(o.File) {
				return values, evidence.Frame{Function: a.In(), File: a.File, Line: a.Line}
			}
		}
	}
	for _, a := range e.Source.Calls(cancelable...) {
		if slices.ContainsFunc(staying, func(o *evidence.Site) bool { return calledFrom(e, o, &a) }) {
			return values, evidence.Frame{Function: a.In(), File: a.File, Line: a.Line}
		}
	}
	return nil, evidence.Frame{}
}

// calledFrom reports whether the profiles show that the function around a call is called, directly
// or not, by the function of a site.
func calledFrom(e *evidence.Evidence, s *evidence.Site, call *source.Allocation) bool {
	return slices.ContainsFunc(e.Sites, func(o evidence.Site) bool {
		caller := slices.IndexFunc(o.Path, func(f evidence.Frame) bool { return f.Function == s.Function })
		return caller > 0 && slices.ContainsFunc(o.Path[:caller], func(f evidence.Frame) bool {
			within, ok := e.Source.Function(f.File, f.Line)
			return ok && e.Source.Local(f.Function, f.File) == e.Source.Local(f.Function, call.File) &&
				within.First <= call.Line && call.Line <= within.Last
		})
	})
}

// through returns the holder through whose functions the site's memory is allocated.
func through(s *evidence.Site) *holder {
	for _, h := range holders {
		if slices.ContainsFunc(s.Below, func(c evidence.Callee) bool { return finding.HasPrefix(c.Function, h.callees) }) {
			return h
		}
	}
	return nil
}

// words gives a finding the texts of the holder.
func (h *holder) words(f *finding.Finding, at evidence.Frame, e *evidence.Evidence) {
	f.File, f.Line, f.Function = at.File, at.Line, at.Function
	f.Source, _ = e.Source.Line(at.File, at.Line)
	f.Title, f.Remedy, f.Example = h.title, h.remedy, h.example
	f.Risk = "Low."
}

const unknownHolder = "Its holder is not known: no container, registration or timer of the program was found that it flows to. Find the variable that still refers to it: " +
	"a field of something that lives as long as the process, a closure that was handed to a library, a goroutine " +
	"that waits."

// cutWords adapts the text of growth to a slice that is cut off at its front, because the array
// still holds the elements that were cut off.
func cutWords(f *finding.Finding, e *evidence.Evidence, what source.Allocation) {
	line, _ := e.Source.Line(what.Taken.File, what.Taken.Line)
	cut := regexp.MustCompile(`= *` + regexp.QuoteMeta(what.Target) + `\[[^:\]]+:\]`).FindString(line)
	if what.Kind != source.Append || cut == "" || plainElements.MatchString(what.Type) {
		return
	}
	f.Title = fmt.Sprintf("%s keeps what is cut off its front (%s)", what.Target, finding.FileAndLine(what.Taken))
	f.Remedy = "The array below the slice still refers to the elements in front, until append moves what is left " +
		"to a new array. Set each to nil before it is cut off, or use slices.Delete, which does. If the slice " +
		"itself grows, less is taken than added: bound it, empty it when its owner is idle or is put back, or " +
		"stop (unsubscribe, unregister, close) the source of its elements then."
	f.Example = what.Target + "[0] = nil\n" + what.Target + " = " + what.Target + "[1:]"
	f.Risk = "Low."
}

// poppedWords gives a finding the texts of a slice whose array keeps the elements that were
// taken from it.
func poppedWords(f *finding.Finding, what source.Allocation) {
	at := finding.FileAndLine(what.Popped)
	f.Title += fmt.Sprintf(": the array of %s keeps what was taken from it (%s)", what.Target, at)
	f.Remedy = fmt.Sprintf("%s makes the slice shorter, and its array still refers to the elements that are no longer in it. "+
		"Set each to nil (or to the zero value) before it is taken, or use slices.Delete, which does. After a peak, "+
		"copy what is left into a new slice. If %s never had many more elements than now, ask whether "+
		"all of it is needed.",
		at, what.Target)
	f.Example = "last := len(q.items) - 1\nit := q.items[last]\nq.items[last] = nil\nq.items = q.items[:last]"
	f.Confidence = evidence.Medium
	f.Risk = "Low."
}

// emptiedWords gives a finding the texts of a slice whose array keeps all elements that it had.
func emptiedWords(f *finding.Finding, what source.Allocation) {
	at := finding.FileAndLine(what.Emptied)
	f.Title += fmt.Sprintf(": the array of %s keeps what was in it (%s)", what.Target, at)
	f.Remedy = fmt.Sprintf("%s makes the slice empty, and its array still refers to all elements that it had, until "+
		"others overwrite them: after a peak, for long. clear(%s) before that sets them to nil; or drop an array that has "+
		"become large, with = nil, and begin another.", at, what.Target)
	f.Example = fmt.Sprintf("clear(%[1]s)\n%[1]s = %[1]s[:0]", what.Target)
	f.Confidence = evidence.Medium
	f.Risk = "Low."
}

// plainElements are types of slices whose elements refer to no memory.
var plainElements = regexp.MustCompile(`^\[\](u?int\d*|uintptr|byte|rune|float\d+|complex\d+|bool)$`)

// containerWords adapts the remedy for growth to the kind of container.
func containerWords(f *finding.Finding, what source.Allocation) {
	switch {
	case what.Wraps:
		f.Remedy = "Each new value refers to the last one, and so to all before it. Where one layer is enough, make it " +
			"once, where the program starts, or from the first value, in a new variable of the loop or the call. Of a " +
			"list, remove the elements that are done with."
		f.Example = "handler := &logged{inner: next} // a new variable: next stays as it is"
		f.Risk = "Low."
	case finding.IsSend(what):
		f.Remedy = "Receive as fast as others send, or drop and count what does not fit: a channel keeps what " +
			"waits in it. Look for the receiver that has ended or is too slow."
		f.Example = "select {\ncase queue <- job:\ndefault:\n\tdropped.Add(1)\n}"
	case strings.HasPrefix(what.Type, "[]func") || strings.Contains(what.Type, "]func(") || strings.Contains(what.Type, "]chan "):
		f.Remedy = "Remove the callback or subscriber when its owner ends: let the call that adds it return a " +
			"function that removes it, and call that on every path."
		f.Example = "remove := bus.Subscribe(handle)\ndefer remove()"
	case what.Kind == source.Append:
		f.Remedy = "Keep only a fixed number: use a ring, or copy the needed elements into a new slice " +
			"and drop the old one."
		f.Example = "if len(s.items) == cap(s.items) {\n\tcopy(s.items, s.items[1:])\n\ts.items = s.items[:len(s.items)-1]\n}"
		if strings.HasPrefix(what.Type, "[]*") {
			f.Remedy = "Remove each from it when its owner ends, as in the owner's Close, so that nothing is left " +
				"registered. Where only the last ones are needed: " + strings.ToLower(f.Remedy[:1]) + f.Remedy[1:]
		}
	}
}
