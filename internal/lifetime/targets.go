package lifetime

import "fmt"

// A target is a function that a call may run, with the values that come before and
// after its arguments.
type target struct {
	name          string
	before, after []value
	invoke        bool
	once          int // the function of sync.OnceFunc that it is called by, or 0
}

// targets are the functions that a value may be. It reports whether they are all.
func (e *engine) targets(s *state, fn value) (all []target, complete bool) {
	complete = fn.bits&(lost|other) == 0 && len(fn.refs) > 0
	for _, r := range fn.refs {
		o := e.objects[r.obj]
		if o.kind != closure || r.path != "" {
			complete = false
			for _, name := range e.heldFunctions(o) {
				code := e.program.code(name)
				if code == nil || r.path != "" {
					continue
				}
				t := target{name: name}
				for i := len(code.Params) - code.Free; i < len(code.Params); i++ {
					t.after = append(t.after, e.captured(s, code, i))
				}
				all = append(all, t)
			}
			continue
		}
		var bound []value
		for i := 0; ; i++ {
			v, ok := s.cells[cell{o.id, fmt.Sprint("$", i)}]
			if !ok {
				break
			}
			bound = append(bound, v)
		}
		switch o.typ {
		case onceFunc:
			inner, known := e.targets(s, s.cells[cell{o.id, ".%f"}])
			for _, t := range inner {
				t.once = o.id
				all = append(all, t)
			}
			complete = complete && known
		case "bound":
			all = append(all, target{name: o.code, before: bound})
		case "bound to an interface":
			all = append(all, target{name: o.code, before: bound, invoke: true})
		default:
			all = append(all, target{name: o.code, after: bound})
		}
	}
	return all, complete
}
