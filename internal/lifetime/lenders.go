package lifetime

import "slices"

// takes reports whether the package puts no arena into a context, so that those which it gets
// from one belong to somebody else.
func (p *program) takes() bool {
	for _, c := range p.codes {
		if c.src == nil {
			continue
		}
		for name := range c.mentions() {
			if short, ok := arenaName(name); ok && short == "NewContext" {
				return false
			}
		}
	}
	return true
}

// lends reports whether the package imports a library that puts an arena into the context of
// each request.
func (p *program) lends() bool {
	for _, imported := range p.pass.Pkg.Imports() {
		if imported.Path() == ours+"/arenahttp" || imported.Path() == ours+"/arenagrpc" {
			return true
		}
	}
	return false
}

// isLoneHandler reports whether a function has the signature of an HTTP handler, and nobody in the
// package calls it: another package wraps it, and ends the arena of its request.
func (p *program) isLoneHandler(c *Code) bool {
	n := len(c.Params)
	if c.src == nil || c.src.Parent() != nil || n < 2 || n > 3 || (n == 3) != (c.src.Signature.Recv() != nil) ||
		c.src.Signature.Results().Len() > 0 || c.Params[n-2].Type != "net/http.ResponseWriter" ||
		c.Params[n-1].Type != "*net/http.Request" {
		return false
	}
	for _, caller := range p.codes {
		for b := range caller.Blocks {
			if slices.ContainsFunc(caller.Blocks[b].Instrs, func(in Instr) bool {
				return in.Name == c.Name && (in.Op == Call || in.Op == Go || in.Op == Defer)
			}) {
				return false
			}
		}
	}
	return true
}
