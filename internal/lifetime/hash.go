package lifetime

import "hash/maphash"

// A digest identifies a state: equal states have equal digests, and two of the few hundred
// states of a function differ in theirs but for a chance of 2⁻⁴⁸. The parts of a state have
// no order, so their digests are added, which needs no sorting.
type digest uint64

var seed = maphash.MakeSeed()

// with is the digest of a sequence that goes on with a number.
func (d digest) with(n int) digest {
	// The finalizer of MurmurHash3 spreads each bit over the others.
	h := uint64(d)*0x9e3779b97f4a7c15 + uint64(n)
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return digest(h ^ h>>33)
}

func (d digest) withText(text string) digest {
	if text == "" {
		return d.with(0)
	}
	return d.with(int(maphash.String(seed, text)))
}

func (d digest) withFlag(flag bool) digest {
	if flag {
		return d.with(1)
	}
	return d.with(2)
}

func (d digest) withValue(v value) digest {
	for _, r := range v.refs {
		d = d.with(r.obj).withText(r.path)
	}
	d = d.with(-1).with(int(v.bits)).with(v.sym).withText(v.num)
	for _, p := range v.parts {
		d = d.with(-2).withValue(p)
	}
	return d.with(-3)
}

// The kinds of the parts of a state.
const (
	ofCell digest = iota + 1
	ofCondition
	ofObject
	ofThread
	ofSent
	ofLock
)

// key is the digest of a state. The frames below the one on top are the same for all states
// of a function.
func (s *state) key() digest {
	f := s.top()
	var d digest
	for i, v := range f.regs {
		if v != nil && !v.empty() {
			d = d.with(i).withValue(*v)
		}
	}
	for _, def := range f.defers {
		d = d.withText(def.key)
		for _, v := range def.args {
			d = d.withValue(v)
		}
	}
	return d.with(int(s.heap()))
}

// heap is the digest of memory, fates and conditions.
func (s *state) heap() digest {
	sum := s.fates()
	for c, v := range s.cells {
		sum += ofCell.with(c.obj).withText(c.path).withValue(v)
	}
	for c, v := range s.conds {
		sum += ofCondition.with(c).withFlag(v)
	}
	return sum
}

// fates is the digest of the facts about the objects.
func (s *state) fates() digest {
	var sum digest
	for o, st := range s.objs {
		d := ofObject.with(o).with(st.dead).with(st.arena)
		for _, flag := range []bool{st.lost, st.own, st.pooled, st.loaned} {
			d = d.withFlag(flag)
		}
		for _, m := range st.marks {
			d = d.with(m)
		}
		sum += d
	}
	for _, t := range s.threads {
		sum += ofThread.withText(t.at)
	}
	for r := range s.sent {
		sum += ofSent.with(r.obj).withText(r.path)
	}
	for _, l := range s.locks {
		sum += ofLock.withText(l)
	}
	return sum.with(int(s.order))
}
