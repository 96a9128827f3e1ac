package requests

import (
	"golang.org/x/tools/go/ssa"
)

// An effect follows a call of a function whose body is not followed.
type effect func(f *flow, fr *frame, instr ssa.CallInstruction, args []set)

// library lists functions of other modules that keep, return or copy their arguments.
var library = map[string]effect{
	"google.golang.org/protobuf/proto.Clone":   cloneMessage,
	"google.golang.org/protobuf/proto.CloneOf": cloneMessage,
	"google.golang.org/protobuf/proto.Merge":   merge,
	arenaPath + "/arenapb.Promote":             (*flow).unknown, // a copy
	arenaPath + ".Promote":                     promote,

	"(*sync.Map).Load":                    read,
	"(*sync.Map).Store":                   keepIn,
	"(*sync.Map).Swap":                    keepIn,
	"(*sync.Map).LoadOrStore":             keepIn,
	"(*sync/atomic.Value).Load":           read,
	"(*sync/atomic.Value).Store":          keepIn,
	"(*sync/atomic.Value).Swap":           keepIn,
	"(*sync/atomic.Pointer[T]).Load":      read,
	"(*sync/atomic.Pointer[T]).Store":     keepIn,
	"(*sync/atomic.Pointer[T]).Swap":      keepIn,
	"(*container/list.List).Front":        read,
	"(*container/list.List).Back":         read,
	"(*container/list.List).PushBack":     keepIn,
	"(*container/list.List).PushFront":    keepIn,
	"(*container/list.List).InsertBefore": keepIn,
	"(*container/list.List).InsertAfter":  keepIn,
	"container/heap.Push":                 keepIn,
	"slices.Clone":                        cloneElements,
	"maps.Clone":                          cloneElements,
	"slices.Clip":                         same,
	"slices.Insert":                       appendTo,
	"strings.TrimSpace":                   same,
	"strings.TrimPrefix":                  same,
	"strings.TrimSuffix":                  same,
}

// cloneMessage shares the text of the message.
func cloneMessage(f *flow, fr *frame, instr ssa.CallInstruction, args []set) {
	if call, ok := instr.(*ssa.Call); ok {
		s := f.textOf(args[0])
		s[copiedPlace] = true
		f.result(fr, call, 0, s)
	}
}

// merge shares the text of the message.
func merge(f *flow, fr *frame, instr ssa.CallInstruction, args []set) {
	text := f.textOf(args[1])
	for p := range args[0] {
		if p.kind == fresh {
			f.changed = p.put(anywhere, text) || f.changed
		}
	}
	if args[0].has(memory) || args[0].has(global) {
		f.put(fr, instr, instr.Common().Args[0], args[0], text, instr.Common().Args[1].Type())
	}
}

func promote(f *flow, _ *frame, _ ssa.CallInstruction, args []set) {
	for r := range labels(args[0]) {
		f.promoted[r.param] = true
	}
}

// read returns a part of the receiver.
func read(f *flow, fr *frame, instr ssa.CallInstruction, args []set) {
	call, ok := instr.(*ssa.Call)
	if ok {
		f.result(fr, call, 0, f.load(parts(args[0], elements), nil))
	}
}

// keepIn keeps the other arguments in the first one.
func keepIn(f *flow, fr *frame, instr ssa.CallInstruction, args []set) {
	operands := instr.Common().Args
	for i, s := range args[1:] {
		f.put(fr, instr, operands[0], parts(args[0], elements), s, operands[i+1].Type())
	}
	read(f, fr, instr, args)
}

func same(f *flow, fr *frame, instr ssa.CallInstruction, args []set) {
	if call, ok := instr.(*ssa.Call); ok {
		f.result(fr, call, 0, args[0])
	}
}

// cloneElements copies a slice or a map, but not the memory that elements refer to.
func cloneElements(f *flow, fr *frame, instr ssa.CallInstruction, args []set) {
	if call, ok := instr.(*ssa.Call); ok {
		f.copyElements(fr, call, call.Call.Args[0])
	}
}

// appendTo returns its first argument with elements of the last.
func appendTo(f *flow, fr *frame, instr ssa.CallInstruction, args []set) {
	if call, ok := instr.(*ssa.Call); ok {
		f.result(fr, call, 0, args[0])
		f.copyElements(fr, call, call.Call.Args[len(args)-1])
	}
}

// builtin follows a call of a predeclared function.
func (f *flow) builtin(fr *frame, call *ssa.Call, name string) {
	args := call.Call.Args
	switch name {
	case "append":
		f.set(fr, call, f.value(fr, args[0]))
		if len(args) > 1 {
			f.copyElements(fr, call, args[1])
		}
	case "copy":
		t := element(args[1])
		if t == nil {
			return
		}
		s := f.filter(t, f.load(parts(f.value(fr, args[1]), elements), t))
		f.put(fr, call, args[0], parts(f.value(fr, args[0]), elements), s, t)
	}
}

// copyElements has a call return new memory with the elements of a slice or a map.
func (f *flow) copyElements(fr *frame, call *ssa.Call, from ssa.Value) {
	t := element(from)
	if t == nil || carries(t) == carriesNothing {
		return
	}
	at := f.fresh(fr, call)
	s := f.filter(t, f.load(parts(f.value(fr, from), elements), t))
	if aggregate(t) {
		f.copyInto(place{at.region, elements}, s)
	} else {
		f.changed = at.put(elements, s) || f.changed
	}
	f.set(fr, call, set{at: true})
}
