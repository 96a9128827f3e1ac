package store

import (
	"cmp"
	"slices"
)

// Growing are the columns of snapshots that count from the start of the process.
var Growing = []string{"alloc_space", "alloc_objects"}

// place names a block.
type place struct {
	file string
	gen  uint32
}

// part is a profile of a sum, with the factor for the columns that only grow and the
// factor for the others.
type part struct {
	at            key
	growth, state int64
}

// plan returns the parts of a sum by block, each block's in the order of time. Of all
// snapshots of a process only two are read.
func plan(entries []Entry) map[place][]part {
	parts := map[place][]part{}
	processes := map[string]*Entry{} // identity → its last snapshot
	identities := map[place]map[uint32]string{}
	add := func(e *Entry, growth, state int64) {
		at := place{e.file, e.gen}
		parts[at] = append(parts[at], part{e.at, growth, state})
	}
	for i := range entries {
		e := &entries[i]
		if e.Size == 0 {
			continue
		}
		if !e.isSnapshot() {
			add(e, 1, 1)
			continue
		}
		at := place{e.file, e.gen}
		if identities[at] == nil {
			identities[at] = map[uint32]string{}
		}
		id, ok := identities[at][e.at.series()]
		if !ok {
			id = string((&series{kind: e.Kind, labels: e.Labels}).encode())
			identities[at][e.at.series()] = id
		}
		switch last := processes[id]; {
		case e.Kind == HeapDelta:
			if last != nil {
				add(last, 1, 0)
			}
		case last == nil:
			add(e, -1, 0)
		case restarted(last.Figures, e.Figures):
			add(last, 1, 0)
		}
		processes[id] = e
	}
	for _, last := range processes {
		add(last, 1, 1)
	}
	for at := range parts {
		slices.SortFunc(parts[at], func(a, b part) int { return cmp.Compare(string(a.at[:]), string(b.at[:])) })
	}
	return parts
}

func (e *Entry) isSnapshot() bool {
	return e.Kind == Heap || e.Kind == HeapDelta || e.Kind == Goroutine
}

// restarted reports whether a column that only grows fell.
func restarted(before, after []Figure) bool {
	for i, f := range after {
		if slices.Contains(Growing, f.Name) && i < len(before) && f.Value < before[i].Value {
			return true
		}
	}
	return false
}
