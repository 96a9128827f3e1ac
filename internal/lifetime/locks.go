package lifetime

import (
	"fmt"
	"slices"
	"strings"
)

// The suffix of a lock that others may hold too.
const shared = "/R"

// unheld is a lock that is not known, which may be any.
const unheld = "?"

// excludes reports whether two sets of locks cannot be held at once.
func excludes(a, b []string) bool {
	if slices.Contains(a, unheld) || slices.Contains(b, unheld) {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			if strings.TrimSuffix(x, shared) == strings.TrimSuffix(y, shared) &&
				!(strings.HasSuffix(x, shared) && strings.HasSuffix(y, shared)) {
				return true
			}
		}
	}
	return false
}

// locksOf are the locks that guard an object: one of an element guards that element alone.
func (e *engine) locksOf(s *state, obj int) []string {
	path := ""
	for o := e.objects[obj]; o.of != nil; o = e.objects[o.of.obj] {
		path = o.of.path + path
	}
	return slices.DeleteFunc(slices.Clone(s.locks), func(lock string) bool {
		i := strings.Index(lock, elements)
		return i >= 0 && !strings.Contains(path, strings.TrimLeft(lock[:i], "0123456789")+elements)
	})
}

// lockOf is the name of a lock, a channel or a wait group, unheld if it is not known.
func lockOf(v value) string {
	if len(v.refs) != 1 || v.bits&(lost|many) != 0 {
		return unheld
	}
	return fmt.Sprint(v.refs[0].obj, v.refs[0].path)
}

func (s *state) acquire(lock string) {
	if !slices.Contains(s.locks, lock) {
		s.locks = slices.Sorted(slices.Values(append(slices.Clone(s.locks), lock)))
	}
}

func (s *state) release(lock string) {
	s.locks = slices.DeleteFunc(slices.Clone(s.locks), func(l string) bool { return l == lock })
}

// locking follows the methods of locks and of atomic values.
func (e *engine) locking(s *state, in *Instr, args []value) {
	name := in.Name[strings.LastIndexByte(in.Name, '.')+1:]
	lock := unheld
	if len(args) > 0 {
		lock = lockOf(args[0])
	}
	switch name {
	case "Lock", "TryLock":
		e.joins(s, args[0])
		if e.thread == nil {
			e.elsewhere(s)
		}
		s.acquire(lock)
	case "RLock", "TryRLock":
		e.joins(s, args[0])
		if e.thread == nil {
			e.elsewhere(s)
		}
		s.acquire(lock + shared)
	case "Unlock":
		e.signals(args[0])
		s.release(lock)
	case "RUnlock":
		e.signals(args[0])
		s.release(lock + shared)
	default: // an atomic value
		if len(args) > 0 {
			e.signals(args[0])
			e.joins(s, args[0])
		}
		if e.thread != nil && in.isRead() {
			s.order = ordered
		}
	}
}

// isRead reports whether the result of an instruction is used.
func (in *Instr) isRead() bool {
	v, ok := in.value()
	if !ok {
		return true
	}
	for _, r := range *v.Referrers() {
		if !isDebug(r) {
			return true
		}
	}
	return false
}
