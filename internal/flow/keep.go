package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// aKey begins how a map keeps its keys.
const aKey = "a key of "

// leak is an instruction by which the objects of value can come to be outside.
type leak struct {
	value node
	into  node // the memory that it is stored in; 0 is outside in any case
	pos   token.Pos
	how   string
	maybe bool   // it is code that was not followed
	rare  bool   // a panic: any other keeper says more
	text  bool   // the value is a string or bytes, which refer to nothing
	to    string // the function of a dependency that the value is given to
}

// giveAway lets code that is not followed keep the objects of n. The symbol is the full name of a
// library's function, "" for other code.
func (h *heap) giveAway(n node, pos token.Pos, to, symbol string) {
	given := leak{value: n, pos: pos, how: "passed to " + to + ", which is not followed,", maybe: true}
	if symbol != "" && !owner.OfStandard(profile.PackageOf(symbol)) {
		given.to = symbol
	}
	if h.trusting {
		h.given = append(h.given, given)
		return
	}
	h.escape(given)
}

// leak lets the objects of n come to be outside.
func (h *heap) leak(n node, pos token.Pos, how string) { h.escape(leak{value: n, pos: pos, how: how}) }

func (h *heap) escape(l leak) {
	if l.value == 0 {
		return
	}
	h.leaks = append(h.leaks, l)
	h.copy(l.value, h.memory[outside].content)
}

// keep stores a value in the memory that to has.
func (h *heap) keep(addr ssa.Value, to node, v ssa.Value, pos token.Pos, how string) {
	n := h.value(v)
	if n == 0 {
		return
	}
	h.store(to, n)
	h.leaks = append(h.leaks, leak{value: n, into: to, pos: pos, how: how + name(addr), text: isText(v.Type())})
}

// trace finds the objects that can be reached from outside, each by the object
// that holds it.
func (h *heap) trace() {
	h.reached, h.holder = make([]bool, len(h.objects)), make([]int, len(h.objects))
	h.reached[0] = true
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, p := range h.objects[queue[0]].places {
			for _, q := range h.sets[h.memory[p].content].all {
				if o := h.memory[q].object; !h.reached[o] {
					h.reached[o], h.holder[o] = true, queue[0]
					queue = append(queue, o)
				}
			}
		}
	}
}

// kept names the keeper of an object, or the code that was not followed and may keep it.
func (h *heap) kept(o int) Fate {
	first, named := o, o
	for h.holder[first] != 0 {
		if first = h.holder[first]; h.objects[first].boxed == nil { // an interface is no thing of its own
			named = first
		}
	}
	// A value loaded from outside may be any object that is kept there. The
	// instruction that keeps the object has the fewest others.
	how, maybe, fewest := "kept in a way that is not known", true, 2*len(h.memory)+1
	for _, l := range h.leaks {
		n := len(h.sets[l.value].all)
		if l.rare {
			n += len(h.memory)
		}
		if n < fewest && h.has(l.value, first) && (l.into == 0 || h.sets[l.into].has[outside]) {
			how, maybe, fewest = l.how, l.maybe, n
			if l.pos.IsValid() {
				how += " at " + h.program.at(l.pos)
			}
		}
	}
	if named != o {
		by := &h.objects[named]
		how = fmt.Sprintf("held by %s of %s, which is %s", by.name(), h.program.at(by.pos), how)
	}
	return Fate{Kept: "it is " + how, Unknown: maybe}
}

// keepers returns the places that store objects, or those that hold them, in memory from
// outside.
func (h *heap) keepers(made Made) (all []source.Place) {
	found := h.find(made)
	if len(found) == 0 { // a call that is not followed has made it, and its result is stored there
		found = h.filled(made)
	}
	for _, o := range found {
		for _, by := range h.holders(o) {
			for _, l := range h.leaks {
				if l.maybe || l.into == 0 || !l.pos.IsValid() || !h.sets[l.into].has[outside] || !h.has(l.value, by) {
					continue
				}
				at := source.Place{File: h.program.file(l.pos), Line: h.program.line(l.pos)}
				no := l.text && (by != o || strings.HasPrefix(l.how, aKey))
				if !no && !slices.Contains(all, at) {
					all = append(all, at)
				}
			}
		}
	}
	return all
}

// recipients returns the calls that give an object of a line, or one that holds it, to a
// function of a dependency.
func (h *heap) recipients(made Made) (all []Recipient) {
	for _, o := range h.find(made) {
		for _, by := range h.holders(o) {
			for _, l := range h.given {
				if l.to == "" || !h.has(l.value, by) {
					continue
				}
				at := Recipient{source.Place{File: h.program.file(l.pos), Line: h.program.line(l.pos)}, l.to}
				if !slices.Contains(all, at) {
					all = append(all, at)
				}
			}
		}
	}
	return all
}

// filled returns the objects that a line stores something in.
func (h *heap) filled(made Made) (all []int) {
	for _, l := range h.leaks {
		if l.into == 0 || !h.program.isAt(l.pos, made) {
			continue
		}
		for _, p := range h.sets[l.into].all {
			if o := h.memory[p].object; o != 0 { // outside
				all = append(all, o)
			}
		}
	}
	return all
}

// doubt names the code that is not followed and that an object, or a holder of it,
// is given to.
func (h *heap) doubt(o int) string {
	for _, by := range h.holders(o) {
		for _, l := range h.given {
			if h.has(l.value, by) {
				it := "it is "
				if by != o {
					holder := &h.objects[by]
					it = fmt.Sprintf("it is held by %s of %s, which is ", holder.name(), h.program.at(holder.pos))
				}
				return it + l.how + " at " + h.program.at(l.pos)
			}
		}
	}
	return ""
}

// holders returns an object and those that it can be reached from, the nearest
// first, without outside.
func (h *heap) holders(o int) []int {
	by := make([][]int, len(h.objects))
	for i := 1; i < len(h.objects); i++ {
		for _, p := range h.objects[i].places {
			for _, q := range h.sets[h.memory[p].content].all {
				held := h.memory[q].object
				by[held] = append(by[held], i)
			}
		}
	}
	all, seen := []int{o}, map[int]bool{o: true}
	for i := 0; i < len(all); i++ {
		for _, holder := range by[all[i]] {
			if !seen[holder] {
				seen[holder] = true
				all = append(all, holder)
			}
		}
	}
	return all
}

func (h *heap) has(n node, object int) bool {
	for _, p := range h.sets[n].all {
		if h.memory[p].object == object {
			return true
		}
	}
	return false
}

// name describes an object by its type.
func (o *object) name() string {
	if o.value == nil {
		return o.what
	}
	t := o.value.Type()
	if _, variable := o.value.(*ssa.Alloc); variable {
		t = t.(*types.Pointer).Elem()
	}
	return "the " + types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// name returns an address as the source writes it, as far as the instructions show.
func name(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		return v.Comment
	case *ssa.FieldAddr:
		return name(v.X) + "." + field(v.X.Type(), v.Field)
	case *ssa.Field:
		return name(v.X) + "." + field(v.X.Type(), v.Field)
	case *ssa.IndexAddr:
		return name(v.X) + "[…]"
	case *ssa.Lookup:
		return name(v.X) + "[…]"
	case *ssa.UnOp:
		return name(v.X)
	case *ssa.Slice:
		return name(v.X)
	case *ssa.Extract:
		return name(v.Tuple)
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return "the result of " + fn.Name()
		}
	case *ssa.Phi:
		if v.Comment != "" {
			return v.Comment
		}
	}
	return "memory of " + types.TypeString(v.Type(), func(p *types.Package) string { return p.Name() })
}

func field(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		return s.Field(i).Name()
	}
	return "?"
}
