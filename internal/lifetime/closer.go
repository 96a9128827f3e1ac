package lifetime

import (
	"slices"
	"strings"
)

// closer returns the method of a type that frees an arena of its receiver, "" if none
// does.
func (p *program) closer(name string) string {
	if name == "" {
		return ""
	}
	if closer, known := p.closers[name]; known {
		return closer
	}
	p.closers[name] = ""
	for _, full := range p.methodsOf(name) {
		if p.frees(p.codes[full], map[string]bool{}) {
			p.closers[name] = full[strings.LastIndexByte(full, '.')+1:]
			break
		}
	}
	return p.closers[name]
}

// methodsOf are the methods of a type that can be followed, in order. They are sorted by
// type once, since a package may know the functions of many others.
func (p *program) methodsOf(name string) []string {
	if p.methods == nil {
		p.methods = map[string][]string{}
		for full := range p.codes {
			recv, method, ok := strings.Cut(full, ").")
			if recv, isMethod := strings.CutPrefix(recv, "("); ok && isMethod && !strings.Contains(method, "$") {
				recv = strings.TrimPrefix(recv, "*")
				p.methods[recv] = append(p.methods[recv], full)
			}
		}
		for _, all := range p.methods {
			slices.Sort(all)
		}
	}
	return p.methods[name]
}

// frees reports whether a function frees an arena, itself or by its calls.
func (p *program) frees(c *Code, seen map[string]bool) bool {
	if c == nil || seen[c.Name] {
		return false
	}
	seen[c.Name] = true
	if c.Long {
		return c.Frees
	}
	for _, in := range c.instrs() {
		if in.Op != Call && in.Op != Defer && in.Op != Closure {
			continue
		}
		if isFree(in.Name) || p.frees(p.codes[in.Name], seen) {
			return true
		}
	}
	return false
}
