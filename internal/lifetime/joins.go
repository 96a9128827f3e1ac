package lifetime

import (
	"fmt"
	"maps"
	"slices"
)

// signals notes that the goroutine lets others know how far it is.
func (e *engine) signals(by value) {
	if e.thread == nil {
		return
	}
	for _, r := range by.refs {
		if key := lockOf(to(r)); !e.thread.added[key] {
			e.thread.signals[key] = true
		}
	}
	e.thread.blind = e.thread.blind || by.bits&(lost|many) != 0
}

// addsTo follows a call of the method Add of a wait group.
func addsTo(e *engine, s *state, in *Instr, args []value) value {
	group := lockOf(args[0])
	switch {
	case group == unheld || e.objects[args[0].refs[0].obj].outside:
	case e.thread == nil:
		e.counted[group] = true
	case !e.counted[group] && s.order == free:
		e.thread.added[group] = true
	}
	return value{}
}

// maySignal notes that unknown code was given memory by which it may signal others how far
// the goroutine is.
func (e *engine) maySignal(reached map[int]bool) {
	for id := range reached {
		o := e.objects[id]
		if e.thread != nil && o.kind == memory && (o.outside || o.typ == channelType || o.typ == "sync.WaitGroup") {
			e.thread.blind = true
		}
	}
}

// channelType is the type of channels that the function makes.
const channelType = "chan"

// joins forgets the goroutines that may have signalled by a value that they are done, and
// the goroutines that these wait for.
func (e *engine) joins(s *state, by value) {
	e.joinsBut(s, by, func(*thread) bool { return false })
}

// joinsBut is joins for the goroutines that are not left out.
func (e *engine) joinsBut(s *state, by value, leaves func(*thread) bool) {
	if e.thread != nil || len(s.threads) == 0 {
		return
	}
	known := map[string]bool{}
	for _, r := range by.refs {
		known[fmt.Sprint(r.obj, r.path)] = true
	}
	all := len(by.refs) == 0 || by.bits&lost != 0
	left := slices.Clone(s.threads)
	for changed := true; changed; {
		changed = false
		left = slices.DeleteFunc(left, func(t *thread) bool {
			joined := all || t.blind
			for by := range t.signals {
				joined = joined || known[by]
			}
			if joined = joined && !leaves(t); joined {
				maps.Copy(known, t.signals)
				changed, e.joined[t.at] = true, true
			}
			return joined
		})
	}
	s.threads = left
}

// waits follows an operation that waits for other goroutines.
func (e *engine) waits(s *state, by value) {
	if e.thread != nil {
		e.signals(by)
		s.order = ordered
		return
	}
	e.joins(s, by)
	s.sent = map[ref][]point{}
	e.elsewhere(s)
}

// elsewhere notes that another goroutine may have changed memory from outside.
func (e *engine) elsewhere(s *state) {
	for c, v := range s.cells {
		if e.objects[c.obj].outside && len(v.refs) > 0 && s.origin[c] == nil && !e.settled(c) {
			v.bits |= lost
			s.cells[c] = v
		}
	}
}

// beginsRound reports whether the current instruction is in the first block of a loop's body,
// whose end leavesLoop follows.
func (e *engine) beginsRound(s *state) bool {
	code, body := s.top().code, e.stack[len(e.stack)-1].block
	return slices.ContainsFunc(code.Blocks[body].Preds, func(h int) bool {
		header := &code.Blocks[h]
		n := len(header.Instrs)
		return n > 0 && header.Instrs[n-1].Op == Branch && header.Succs[0] == body && code.returnsTo(body, header)
	})
}

// leavesLoop follows the end of a loop each of whose iterations begins with a receive. It
// takes as many values as others send, so if it takes none, nobody sends one.
func (e *engine) leavesLoop(s *state, code *Code, header *Block) {
	if e.thread != nil || len(s.threads) == 0 {
		return
	}
	body := header.Succs[0]
	for i := range code.Blocks[body].Instrs {
		in := &code.Blocks[body].Instrs[i]
		if in.Op != Receive || !code.returnsTo(body, header) {
			continue
		}
		channel := e.operand(s, in.X[0])
		// The body reads a captured variable again in each round.
		if load := code.definition(in.X[0]); channel.empty() && load != nil && load.Op == Load {
			channel = e.load(s, e.operand(s, load.X[0]), load.Class, load.Type)
		}
		if len(channel.refs) > 0 && !clocks[in.Type] {
			e.joins(s, channel)
		}
	}
}

// returnsTo reports whether control gets from a block back to the header of a loop.
func (c *Code) returnsTo(from int, header *Block) bool {
	seen := map[int]bool{}
	var reaches func(b int) bool
	reaches = func(b int) bool {
		if &c.Blocks[b] == header {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(c.Blocks[b].Succs, reaches)
	}
	return reaches(from)
}
