package lifetime

import "slices"

// liveness finds the registers that are read in a block or after it.
func (c *Code) liveness() {
	c.live = make([][]bool, len(c.Blocks))
	for b := range c.live {
		c.live[b] = make([]bool, c.Regs)
	}
	for changed := true; changed; {
		changed = false
		for b := len(c.Blocks) - 1; b >= 0; b-- {
			live := make([]bool, c.Regs)
			for _, next := range c.Blocks[b].Succs {
				after := slices.Clone(c.live[next])
				for i := range c.Blocks[next].Instrs {
					if in := &c.Blocks[next].Instrs[i]; in.Op == Phi {
						after[in.Dst] = false
					}
				}
				for r, l := range after {
					live[r] = live[r] || l
				}
				// The phis of the next block are read at the end of this one, and
				// set before their block begins.
				for i := range c.Blocks[next].Instrs {
					in := &c.Blocks[next].Instrs[i]
					if in.Op != Phi {
						break
					}
					for p, x := range in.X {
						if x >= 0 && c.Blocks[next].Preds[p] == b {
							live[x] = true
						}
					}
				}
			}
			for i := len(c.Blocks[b].Instrs) - 1; i >= 0; i-- {
				in := &c.Blocks[b].Instrs[i]
				if in.Op == Phi {
					continue // it is live if it is read
				}
				if in.Dst != none {
					live[in.Dst] = false
				}
				for _, x := range in.X {
					if x >= 0 && x != none {
						live[x] = true
					}
				}
			}
			for r, l := range live {
				if l && !c.live[b][r] {
					c.live[b][r], changed = true, true
				}
			}
		}
	}
}
