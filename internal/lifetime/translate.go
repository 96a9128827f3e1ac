package lifetime

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A translator turns a function's SSA form into Code.
type translator struct {
	fn    *ssa.Function
	code  *Code
	regs  map[ssa.Value]Operand
	known map[Constant]Operand
}

func translate(fn *ssa.Function) *Code {
	t := &translator{fn: fn, code: &Code{Name: nameOf(fn), Free: len(fn.FreeVars), src: fn}}
	t.regs, t.known = map[ssa.Value]Operand{}, map[Constant]Operand{}
	for _, p := range fn.Params {
		t.define(p)
		t.code.Params = append(t.code.Params, Param{p.Name(), typeName(p.Type()), classOf(p.Type())})
	}
	for _, v := range fn.FreeVars {
		t.define(v)
		t.code.Params = append(t.code.Params, Param{v.Name(), typeName(v.Type()), Reference})
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				t.define(v)
			}
		}
	}
	for _, b := range fn.Blocks {
		block := Block{}
		for _, p := range b.Preds {
			block.Preds = append(block.Preds, p.Index)
		}
		for _, s := range b.Succs {
			block.Succs = append(block.Succs, s.Index)
		}
		for _, instr := range b.Instrs {
			if in, ok := t.instr(instr); ok {
				in.src = instr
				block.Instrs = append(block.Instrs, in)
			}
		}
		t.code.Blocks = append(t.code.Blocks, block)
	}
	t.code.Regs = len(t.regs)
	return t.code
}

func (t *translator) define(v ssa.Value) { t.regs[v] = Operand(len(t.regs)) }

func (t *translator) operand(v ssa.Value) Operand {
	if r, ok := t.regs[v]; ok {
		return r
	}
	c := Constant{}
	switch v := v.(type) {
	case *ssa.Const:
		switch {
		case v.Value == nil:
			c.Kind = Nil
		case v.Value.Kind() == constant.Bool && constant.BoolVal(v.Value):
			c.Kind = True
		case v.Value.Kind() == constant.Bool:
			c.Kind = False
		default:
			c.Kind, c.Name = Number, v.Value.ExactString()
			if len(c.Name) > 40 {
				c.Name = "long"
			}
		}
	case *ssa.Global:
		c.Kind, c.Name = Global, v.String()
	case *ssa.Function:
		c.Kind, c.Name = Function, nameOf(v)
	}
	o, ok := t.known[c]
	if !ok {
		o = ^Operand(len(t.code.Consts))
		t.code.Consts = append(t.code.Consts, c)
		t.known[c] = o
	}
	return o
}

func (t *translator) make(op Op, dst ssa.Value, x ...ssa.Value) Instr {
	in := Instr{Op: op, Dst: none, vals: x}
	if dst != nil {
		in.Dst, in.Class = t.regs[dst], classOf(dst.Type())
	}
	for _, v := range x {
		in.X = append(in.X, t.operand(v))
	}
	return in
}

func (t *translator) instr(instr ssa.Instruction) (in Instr, ok bool) {
	switch v := instr.(type) {
	case *ssa.Alloc:
		in = t.make(Alloc, v)
		in.Type = typeName(v.Type().(*types.Pointer).Elem())
		in.Flag = v.Comment == "varargs" || v.Comment == "slicelit"
	case *ssa.MakeChan:
		in = t.make(Alloc, v, v.Size)
		in.Name = "chan"
	case *ssa.MakeMap, *ssa.MakeSlice:
		in = t.make(Alloc, v.(ssa.Value))
		in.Type = typeName(v.(ssa.Value).Type())
	case *ssa.FieldAddr:
		in = t.make(Field, v, v.X)
		in.Name = "." + fieldOf(v.X.Type(), v.Field).Name()
		in.Type = strings.TrimPrefix(typeName(v.X.Type()), "*")
	case *ssa.IndexAddr:
		in = t.make(Index, v, v.X)
		_, in.Flag = v.X.Type().Underlying().(*types.Slice)
	case *ssa.Field:
		in = t.make(Part, v, v.X)
		in.Name = "." + fieldOf(v.X.Type(), v.Field).Name()
	case *ssa.Index:
		in = t.make(Part, v, v.X)
		in.Name = elements
	case *ssa.Lookup:
		in = t.make(Lookup, v, v.X, v.Index)
		in.Flag = v.CommaOk
		if m, ok := v.X.Type().Underlying().(*types.Map); ok {
			in.Class = classOf(m.Elem())
			in.Type = typeName(m.Elem())
		}
	case *ssa.Range:
		in = t.make(Move, v, v.X)
		in.Name = "range"
	case *ssa.Next:
		in = t.make(Next, v, v.Iter)
		if v.IsString {
			in.Op = Compute
		} else if m, ok := v.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map); ok {
			in.Number, in.Class = int(classOf(m.Key())), classOf(m.Elem())
		} else {
			in.Number, in.Class = int(Reference), Reference
		}
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			in = t.make(Load, v, v.X)
			in.Type = typeName(v.Type())
			if likeText(v.Type()) {
				in.Name = "bytes"
			}
		case token.ARROW:
			in = t.make(Receive, v, v.X)
			in.Flag, in.Type = v.CommaOk, elementName(v.X)
		case token.NOT:
			in = t.make(Not, v, v.X)
		default:
			in = t.make(Compute, v, v.X)
		}
	case *ssa.BinOp:
		in = t.make(Compute, v, v.X, v.Y)
		switch v.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			in.Op, in.Name = Compare, v.Op.String()
			if types.Identical(v.X.Type(), types.Universe.Lookup("error").Type()) {
				in.Type = "error"
			}
			in.Flag = classOf(v.X.Type()) == Text
		case token.ADD, token.SUB:
			in.Name = v.Op.String()
		}
	case *ssa.Phi:
		in = t.make(Phi, v, v.Edges...)
		in.Name = v.Comment
	case *ssa.Extract:
		in = t.make(Extract, v, v.Tuple)
		in.Number = v.Index
	case *ssa.TypeAssert:
		in = t.make(Move, v, v.X)
		in.Flag = v.CommaOk
		in.Class, in.Type = classOf(v.AssertedType), typeName(v.AssertedType)
		in.Name = "assert"
	case *ssa.ChangeType:
		in = t.make(Move, v, v.X)
	case *ssa.ChangeInterface:
		in = t.make(Move, v, v.X)
	case *ssa.SliceToArrayPointer:
		in = t.make(Move, v, v.X)
	case *ssa.MultiConvert:
		in = t.make(Compute, v, v.X)
	case *ssa.Convert:
		in = t.make(Move, v, v.X)
		from, to := classOf(v.X.Type()), classOf(v.Type())
		if from == Scalar || to == Scalar || (from == Text) != (to == Text) {
			in.Op = Compute // string(b) copies
		} else if v.Type().Underlying() == types.Typ[types.UnsafePointer] {
			in.Name = "unsafe"
		}
	case *ssa.MakeInterface:
		in = t.make(Wrap, v, v.X)
		in.Name, in.Type, in.Class = typeName(v.Type()), typeName(v.X.Type()), classOf(v.X.Type())
	case *ssa.Slice:
		in = t.make(Move, v, v.X)
		in.Name = "slice"
		if c, ok := v.Max.(*ssa.Const); ok && c.Int64() == 0 {
			in.Op = Compute
		}
		if c, ok := v.High.(*ssa.Const); ok && c.Value != nil && c.Int64() == 0 {
			in.Name = "cut"
		}
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		in = t.make(Closure, v, v.Bindings...)
		in.Name = nameOf(fn)
		in.Flag = strings.HasPrefix(fn.Synthetic, "bound method")
		in.Type = ""
		if obj, ok := fn.Object().(*types.Func); ok && in.Flag && types.IsInterface(obj.Signature().Recv().Type()) {
			in.Type = "interface"
		}
	case *ssa.Store:
		in = t.make(Store, nil, v.Addr, v.Val)
		in.Class = classOf(v.Val.Type())
	case *ssa.MapUpdate:
		in = t.make(Update, nil, v.Map, v.Key, v.Value)
		in.Class = classOf(v.Value.Type())
	case *ssa.Send:
		in = t.make(Send, nil, v.Chan, v.X)
		in.Type = elementName(v.Chan)
	case *ssa.Select:
		in = t.make(Select, v)
		var elements []string
		for _, s := range v.States {
			elements = append(elements, elementName(s.Chan))
			if s.Dir == types.SendOnly {
				in.X = append(in.X, t.operand(s.Chan), t.operand(s.Send))
				in.vals = append(in.vals, s.Chan, s.Send)
			} else {
				in.X = append(in.X, t.operand(s.Chan), none)
				in.vals = append(in.vals, s.Chan, nil)
				in.Number++
			}
		}
		in.Type = strings.Join(elements, "|")
		in.Flag = !v.Blocking
	case *ssa.If:
		in = t.make(Branch, nil, v.Cond)
	case *ssa.Return:
		in = t.make(Return, nil, v.Results...)
	case *ssa.Panic:
		in = t.make(Panic, nil, v.X)
	case *ssa.RunDefers:
		in = t.make(RunDefers, nil)
	case *ssa.Call:
		in = t.call(Call, v, v.Common())
	case *ssa.Go:
		in = t.call(Go, nil, v.Common())
	case *ssa.Defer:
		in = t.call(Defer, nil, v.Common())
	case *ssa.Jump, *ssa.DebugRef:
		return in, false
	default:
		return in, false
	}
	return in, true
}

// call translates a call. Its first operand is the function, none if the call names
// it, and for a call through an interface the receiver is the second one.
func (t *translator) call(op Op, dst ssa.Value, c *ssa.CallCommon) Instr {
	in := Instr{Op: op, Dst: none, X: []Operand{none}, vals: []ssa.Value{nil}}
	if dst != nil {
		in.Dst, in.Class = t.regs[dst], classOf(dst.Type())
		in.Type = typeName(dst.Type())
	}
	args := c.Args
	switch fn := c.StaticCallee(); {
	case c.IsInvoke():
		in.Flag, in.Name = true, c.Method.FullName()
		args = append([]ssa.Value{c.Value}, args...)
	case fn != nil:
		if closure, ok := c.Value.(*ssa.MakeClosure); ok {
			in.X[0], in.vals[0] = t.operand(closure), closure
		} else {
			in.Name = nameOf(fn)
		}
	default:
		if b, ok := c.Value.(*ssa.Builtin); ok {
			in.Name = b.Name()
			if len(args) > 0 && hasReferences(args[0].Type()) {
				in.Type = "references"
			}
		} else {
			in.X[0], in.vals[0] = t.operand(c.Value), c.Value
		}
	}
	for _, a := range args {
		in.X = append(in.X, t.operand(a))
		in.vals = append(in.vals, a)
	}
	if in.Name == "fmt.Errorf" && len(args) == 2 {
		for _, v := range wrapped(args[0], args[1]) {
			in.X, in.vals = append(in.X, t.operand(v)), append(in.vals, v)
		}
	}
	in.Number = c.Signature().Results().Len()
	in.Range = len(c.Args) == 1 && isBody(c.Args[0])
	if short, ok := arenaName(in.Name); ok && strings.Contains(short, "Unmarshal") && onlyText(c.Args[len(c.Args)-1]) {
		in.Type += textOnlyMark
	}
	return in
}

// isBody reports whether a function is the body of a loop over another one.
func isBody(v ssa.Value) bool {
	if c, ok := v.(*ssa.MakeClosure); ok {
		v = c.Fn
	}
	fn, ok := v.(*ssa.Function)
	return ok && fn.Synthetic == "range-over-func yield"
}

// wrapped returns the errors that a call of fmt.Errorf wraps.
func wrapped(format, list ssa.Value) (all []ssa.Value) {
	f, ok := format.(*ssa.Const)
	slice, isList := list.(*ssa.Slice)
	if !isList || ok && f.Value != nil && !strings.Contains(f.Value.ExactString(), "%w") {
		return nil
	}
	for _, r := range *slice.X.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *at.Referrers() {
			store, ok := r.(*ssa.Store)
			if !ok {
				continue
			}
			v := store.Val
			if boxed, ok := v.(*ssa.MakeInterface); ok {
				v = boxed.X
			} else if changed, ok := v.(*ssa.ChangeInterface); ok {
				v = changed.X
			}
			if types.Implements(v.Type(), types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
				all = append(all, v)
			}
		}
	}
	return all
}
