package lifetime

// What is known about the parameter that a function returns with more elements.
const (
	noParam    = -1
	notYet     = -2 // the function is looked at, and calls itself
	noElements = -3 // nil, as beside an error
)

// extended returns the parameter that a function of the package returns as its first result
// with more elements, as functions do that append to a buffer, and noParam if it does not
// always return one.
func (p *program) extended(name string) int {
	if i, known := p.extending[name]; known {
		return i
	}
	c := p.codes[name]
	if c == nil || c.src == nil {
		return noParam
	}
	p.extending[name] = notYet
	which := noElements
	for _, in := range c.instrs() {
		if in.Op == Return && len(in.X) > 0 {
			which = sameParam(which, p.extendedParam(c, in.X[0], map[Operand]bool{}))
		}
	}
	p.extending[name] = max(which, noParam)
	if which < noParam {
		p.extending[name] = noParam
	}
	return p.extending[name]
}

// sameParam joins the answers of two paths.
func sameParam(a, b int) int {
	switch {
	case a == b, b < noParam:
		return a
	case a < noParam:
		return b
	}
	return noParam
}

// extendedParam returns the parameter that a value is, with more elements.
func (p *program) extendedParam(c *Code, x Operand, seen map[Operand]bool) int {
	if x < 0 {
		if c.Consts[^x].Kind == Nil {
			return noElements
		}
		return noParam
	}
	if int(x) < len(c.Params) {
		return int(x)
	}
	def := c.definition(x)
	if def == nil {
		return noParam
	}
	if seen[x] {
		return notYet
	}
	seen[x] = true
	switch def.Op {
	case Move:
		if def.Name == "slice" {
			return p.extendedParam(c, def.X[0], seen)
		}
	case Extract:
		if def.Number == 0 {
			return p.extendedParam(c, def.X[0], seen)
		}
	case Phi:
		which := notYet
		for _, x := range def.X {
			which = sameParam(which, p.extendedParam(c, x, seen))
		}
		return which
	case Call:
		if def.Name == "append" || contractOf(def.Name) == appends {
			return p.extendedParam(c, def.X[1], seen)
		}
		if i := p.extended(def.Name); i >= 0 && !def.Flag {
			return p.extendedParam(c, def.X[i+1], seen)
		} else if i == notYet {
			return notYet
		}
	}
	return noParam
}
