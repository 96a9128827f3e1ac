package lifetime

import "strings"

// A storage is the fields to which a function and those that it calls may store.
type storage struct {
	fields map[string]bool
	all    bool // there are no others
}

// writes returns the fields to which a function may store, and whether they are all.
func (p *program) writes(name string) (map[string]bool, bool) {
	if p.codes[name] == nil {
		return nil, false
	}
	w, ok := p.written[name]
	if !ok {
		w = &storage{map[string]bool{}, true}
		p.written[name] = w
		p.addWritten(p.codes[name], w, map[*Code]bool{})
	}
	return w.fields, w.all
}

func (p *program) addWritten(c *Code, w *storage, seen map[*Code]bool) {
	if seen[c] || !w.all {
		return
	}
	seen[c] = true
	for _, in := range c.instrs() {
		switch in.Op {
		case Store:
			if c.local(in.X[0]) {
				continue
			}
			def := c.definition(in.X[0])
			switch {
			case def != nil && def.Op == Field:
				w.fields[def.Name] = true
			case def != nil && def.Op == Index:
				w.fields[elements] = true
			default:
				w.all = false
			}
		case Update:
			w.fields[elements], w.fields[keys] = true, true
		case Send, Go, Closure:
			w.all = false
		case Call, Defer:
			p.addCalled(c, in, w, seen)
		}
	}
}

func (p *program) addCalled(c *Code, in *Instr, w *storage, seen map[*Code]bool) {
	_, api := arenaName(in.Name)
	m := contractOf(in.Name)
	switch callee := p.codes[in.Name]; {
	case in.Flag, in.Name == "":
		w.all = false
	case callee != nil:
		p.addWritten(callee, w, seen)
	case api, m == reads, m == aliases, m == copies, m == appends, m == locking:
	case in.Name == "append", in.Name == "copy":
		w.fields[elements] = true
	case !strings.ContainsAny(in.Name, "./"): // other functions of the language
	default:
		w.all = false
	}
}

// lastPart is the last field or element of a path.
func lastPart(path string) string {
	if i := strings.LastIndexAny(path, ".["); i >= 0 {
		return path[i:]
	}
	return path
}
