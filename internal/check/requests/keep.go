package requests

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// keep records that values are put into a place, which addr denotes, and which a
// parameter or a package-level variable refers to.
func (f *flow) keep(fr *frame, at ssa.Instruction, addr ssa.Value, in int, s set) {
	if !f.speak {
		return
	}
	how := "keeps %s of its request beyond the call"
	name := nameOf(addr)
	switch name := name.(type) {
	case *types.Var:
		how = "keeps %s of its request in the field " + name.Name()
	case *ssa.Global:
		how = "keeps %s of its request in the package's variable " + name.Name()
	}
	if name != nil && f.erased(fr, at, name) {
		return
	}
	f.record(fr, at, how, in, s)
}

// record records that values are kept.
func (f *flow) record(fr *frame, at ssa.Instruction, how string, in int, s set) {
	if !f.speak {
		return
	}
	for r := range labels(s) {
		if r.param == in {
			continue
		}
		pos := f.position(fr, at)
		line := f.pass.Fset.Position(pos)
		k := Keep{
			Param: r.param, In: in, Text: r.kind == text, How: how, Concurrent: !strings.HasPrefix(how, "keeps"),
			Line: fmt.Sprintf("%s:%d", filepath.Base(line.Filename), line.Line), pos: pos, by: f.handler(fr),
		}
		if !slices.Contains(f.keeps, k) {
			f.keeps = append(f.keeps, k)
		}
	}
}

// position returns the position of an instruction of the function itself, that leads
// to the given one.
func (f *flow) position(fr *frame, at ssa.Instruction) token.Pos {
	for ; fr != f.root; fr = fr.up {
		if own := f.own(fr.fn); own && at.Pos().IsValid() {
			break
		}
		at = fr.at
	}
	if at.Pos().IsValid() {
		return at.Pos()
	}
	return f.root.fn.Pos()
}

// handler returns the name of the handler that the function calls for the code of a
// frame, if both are of the same type.
func (f *flow) handler(fr *frame) string {
	self := f.root.fn.Signature.Recv()
	for ; fr != f.root; fr = fr.up {
		if sig := fr.fn.Signature; self != nil && sig.Recv() != nil && handles(sig) && types.Identical(sig.Recv().Type(), self.Type()) {
			return fr.fn.Name()
		}
	}
	return ""
}

// own reports whether a function is the one that is followed, or in it.
func (f *flow) own(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == f.root.fn {
			return true
		}
	}
	return false
}

// send records values that are sent on a channel which outlives the call, unless the
// function waits afterwards.
func (f *flow) send(fr *frame, at ssa.Instruction, ch, v ssa.Value) {
	s := f.filter(v.Type(), f.value(fr, v))
	for p := range f.value(fr, ch) {
		switch p.kind {
		case fresh:
			f.put(fr, at, ch, parts(set{p: true}, elements), s, v.Type())
		case memory, global:
			if f.speak && !f.waits(fr, at) {
				in := elsewhere
				if p.kind == memory {
					in = p.param
				}
				f.record(fr, at, "sends %s of its request on a channel", in, s)
			}
		}
	}
}

// reads records values that a goroutine uses.
func (f *flow) reads(fr *frame, used ...set) {
	if !f.speak {
		return
	}
	for ; fr != nil; fr = fr.up {
		if fr.spawner != nil {
			for _, s := range used {
				f.leave(fr.spawner, s)
			}
			return
		}
	}
}

// leave records values that are left to a goroutine, unless the function waits
// afterwards.
func (f *flow) leave(to *spawner, s set) {
	if f.speak && len(labels(s)) > 0 && !f.waits(to.frame, to.at) {
		f.record(to.frame, to.at, "leaves %s of its request to a goroutine", elsewhere, s)
	}
}

// nameOf returns the field or the package-level variable that a place belongs to.
func nameOf(v ssa.Value) any {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return fieldOf(v.X, v.Field)
	case *ssa.Field:
		return fieldOf(v.X, v.Field)
	case *ssa.Global:
		return v
	case *ssa.UnOp:
		return nameOf(v.X)
	case *ssa.IndexAddr:
		return nameOf(v.X)
	case *ssa.Index:
		return nameOf(v.X)
	case *ssa.Lookup:
		return nameOf(v.X)
	case *ssa.Extract:
		return nameOf(v.Tuple)
	case *ssa.TypeAssert:
		return nameOf(v.X)
	case *ssa.ChangeType:
		return nameOf(v.X)
	case *ssa.MakeInterface:
		return nameOf(v.X)
	case *ssa.Slice:
		return nameOf(v.X)
	}
	return nil
}
