package lifetime

// stores are the stores into a variable of a function, its fields and its elements, by the
// variable, in their order. They are collected once, since a long function may have thousands
// of literals.
func (c *Code) stores(variable Operand) []*Instr {
	if c.into == nil {
		c.into = map[Operand][]*Instr{}
		for _, in := range c.instrs() {
			if in.Op != Store {
				continue
			}
			at := in.X[0]
			def := c.definition(at)
			for def != nil && (def.Op == Field || def.Op == Index) {
				at = def.X[0]
				def = c.definition(at)
			}
			c.into[at] = append(c.into[at], in)
		}
	}
	return c.into[variable]
}

// literal returns the fields of a composite literal that a value was read from.
func (c *Code) literal(x Operand) map[string]Operand {
	load := c.definition(x)
	if load == nil || load.Op != Load {
		return nil
	}
	alloc := c.definition(load.X[0])
	if alloc == nil || alloc.Op != Alloc {
		return nil
	}
	fields := map[string]Operand{}
	for _, in := range c.stores(load.X[0]) {
		path, at := "", in.X[0]
		for def := c.definition(at); def != nil && def.Op == Field; def = c.definition(at) {
			path, at = def.Name+path, def.X[0]
		}
		if at == load.X[0] && path != "" {
			fields[path] = in.X[1]
		}
	}
	return fields
}

// functionsIn are the functions that a value, or a list, may hold.
func (c *Code) functionsIn(x Operand) (all []string) {
	seen := map[Operand]bool{}
	var add func(x Operand)
	add = func(x Operand) {
		if x < 0 {
			if k := c.Consts[^x]; k.Kind == Function {
				all = append(all, k.Name)
			}
			return
		}
		def := c.definition(x)
		if def == nil || seen[x] {
			return
		}
		seen[x] = true
		switch def.Op {
		case Closure:
			all = append(all, def.Name)
		case Move, Wrap:
			add(def.X[0])
		case Phi:
			for _, x := range def.X {
				add(x)
			}
		case Call:
			if def.Name == "append" && len(def.X) > 2 {
				add(def.X[2])
			}
		case Alloc: // a list of arguments
			for _, in := range c.stores(x) {
				if at := c.definition(in.X[0]); at != nil && at.Op == Index && at.X[0] == x {
					add(in.X[1])
				}
			}
		}
	}
	add(x)
	return all
}
