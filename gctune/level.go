package gctune

import (
	"bytes"
	"io/fs"
	"math"
	"path"
)

// level is one control group on the way from the process's own to the root.
type level struct {
	controllerDir
	limits   []*reader // the tightest counts
	charge   *reader
	stat     *reader
	statKeys *statKeys
}

// statKeys are the names in memory.stat of the file pages.
type statKeys struct{ inactive, active, mapped, dirty, writeback string }

var (
	keysV2 = statKeys{inactive: "inactive_file", active: "active_file",
		mapped: "file_mapped", dirty: "file_dirty", writeback: "file_writeback"}
	keysV1 = statKeys{inactive: "total_inactive_file", active: "total_active_file",
		mapped: "total_mapped_file", dirty: "total_dirty", writeback: "total_writeback"}
)

func newLevel(root fs.FS, d controllerDir) *level {
	open := func(name string) *reader { return &reader{root: root, name: path.Join(d.name, name)} }
	if d.v2 {
		// Over memory.high the kernel kills nobody but stalls every allocation
		// until it has reclaimed: no place to run a heap.
		return &level{controllerDir: d, charge: open("memory.current"), stat: open("memory.stat"),
			limits: []*reader{open("memory.max"), open("memory.high")}, statKeys: &keysV2}
	}
	return &level{controllerDir: d, charge: open("memory.usage_in_bytes"), stat: open("memory.stat"),
		limits: []*reader{open("memory.limit_in_bytes")}, statKeys: &keysV1}
}

// limit returns the level's limit, or none.
func (l *level) limit(buf []byte) (uint64, error) {
	least := uint64(none)
	for i, r := range l.limits {
		b, err := r.read(buf)
		if err != nil && i == 0 {
			return 0, err
		}
		if n, ok := parseLimit(b); ok && err == nil {
			least = min(least, n)
		}
	}
	if !l.v2 {
		// The tightest of this group and all parents, those included that a
		// cgroup namespace hides.
		if b, err := l.stat.read(buf); err == nil {
			if n, ok := field(b, "hierarchical_memory_limit"); ok && n > 0 && n < 1<<60 {
				least = min(least, n)
			}
		}
	}
	return least, nil
}

// usage returns the level's own limit and its charge, file pages included.
func (l *level) usage(buf []byte) (limit, charge uint64) {
	limit = none
	for _, r := range l.limits {
		if b, err := r.read(buf); err == nil {
			n, _ := parseLimit(b)
			limit = min(limit, n)
		}
	}
	if b, err := l.charge.read(buf); err == nil {
		charge, _ = parseUint(bytes.TrimSpace(b))
	}
	return limit, charge
}

// room returns the memory that the level can still be charged with under limit: file
// pages that are clean and not mapped are given up by the kernel before it
// kills, everything else counts. Mapped ones are counted: a process whose own
// text is evicted crawls.
func (l *level) room(buf []byte, limit uint64) (int64, error) {
	b, err := l.charge.read(buf)
	if err != nil {
		return 0, err
	}
	charge, _ := parseUint(bytes.TrimSpace(b))
	if b, err = l.stat.read(buf); err != nil {
		return 0, err
	}
	value := func(key string) int64 { n, _ := field(b, key); return int64(min(n, math.MaxInt64/8)) }
	k := l.statKeys
	file := value(k.inactive) + value(k.active) - value(k.mapped) - value(k.dirty) - value(k.writeback)
	return int64(limit) - int64(charge) + max(file, 0), nil
}

func (l *level) close() {
	for _, r := range append([]*reader{l.charge, l.stat}, l.limits...) {
		r.close()
	}
}
