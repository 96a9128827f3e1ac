package gctune

import (
	"bytes"
	"io/fs"
	"os"
	"time"
)

// kernel reads what the operating system says about the process's memory.
// Where it says nothing, as outside Linux, the figures stay unknown.
type kernel struct {
	root  fs.FS
	given uint64 // Options.Limit where one is given
	none  bool   // Options.Limit is NoLimit

	group, statm, meminfo *reader
	member                []byte    // /proc/self/cgroup when levels were opened
	looked                time.Time // for levels
	levels                []*level
	last                  memory // the levels' last figures
	lost                  bool   // the levels have vanished
	decided               string // the level whose limit was taken last

	buf [16 << 10]byte
}

func newKernel(root fs.FS, limit int64) *kernel {
	open := func(name string) *reader { return &reader{root: root, name: name} }
	k := &kernel{root: root, none: limit == NoLimit, given: uint64(max(limit, 0)),
		group: open("proc/self/cgroup"), statm: open("proc/self/statm"), meminfo: open("proc/meminfo")}
	k.find()
	return k
}

// lookAgain is how often levels are looked for while there are none: the memory
// controller may be enabled for a group that runs already.
const lookAgain = time.Minute

// find opens the levels of the group that the process is in now.
func (k *kernel) find() {
	k.looked = time.Now()
	for _, l := range k.levels {
		l.close()
	}
	k.levels = nil
	if k.none {
		return
	}
	b, err := k.group.read(k.buf[:])
	if err != nil {
		return
	}
	k.member = append(k.member[:0], b...)
	mounts, err := fs.ReadFile(k.root, "proc/self/mountinfo")
	if err != nil {
		return
	}
	k.levels = openLevels(k.root, controllerDirs(string(k.member), string(mounts)))
}

// read fills in m. mapped is what the Go runtime has mapped: all that is known
// of the process's memory where the system says nothing.
func (k *kernel) read(m *memory, mapped uint64) {
	*m = memory{}
	if b, err := k.group.read(k.buf[:]); err == nil && !bytes.Equal(b, k.member) {
		k.find() // moved to another group
		k.lost = false
	}
	if k.lost || len(k.levels) == 0 && time.Since(k.looked) >= lookAgain {
		k.find()
	}
	if err := k.tightest(m); err != nil {
		*m = memory{}
		k.find()
		k.lost = k.tightest(m) != nil || len(k.levels) == 0
	} else {
		k.lost = k.lost && len(k.levels) == 0
	}
	if k.lost && k.last.limit != 0 {
		// The files are gone, the limit that they told was real.
		*m = memory{limit: k.last.limit, room: int64(k.last.limit) - int64(k.process(mapped)), from: k.last.from, lost: true}
	} else {
		k.last = *m
	}
	if k.given != 0 {
		k.weigh(m, k.given, int64(k.given)-int64(k.process(mapped)), "options")
	}
	k.decided = m.from
	if b, err := k.meminfo.read(k.buf[:]); err == nil {
		available, _ := field(b, "MemAvailable")
		total, _ := field(b, "MemTotal")
		m.available, m.total = available<<10, total<<10
	}
	m.fresh = true
}

// tightest finds the level with the least room.
func (k *kernel) tightest(m *memory) error {
	for _, l := range k.levels {
		limit, err := l.limit(k.buf[:])
		if err != nil {
			return err
		}
		if limit == none {
			continue
		}
		room, err := l.room(k.buf[:], limit)
		if err != nil {
			return err
		}
		k.weigh(m, limit, room, l.name)
	}
	return nil
}

// leadShare is the part of the limit by which another level has to be tighter
// than the one that decided last, half of what the budget keeps free
// (marginShare). Else two with equal room would take turns.
const leadShare = 100

// weigh takes a level into m if it has less room than the one that is there.
func (k *kernel) weigh(m *memory, limit uint64, room int64, from string) {
	lead := int64(min(limit, m.limit) / leadShare)
	switch k.decided {
	case from:
	case m.from:
		lead = -lead
	default:
		lead = 0
	}
	if m.limit == 0 || room < m.room+lead {
		m.limit, m.room, m.from = limit, room, from
	}
}

var pageSize = uint64(os.Getpagesize())

// process is the memory of this process alone that cannot be reclaimed:
// resident pages that are not of a file (proc_pid_statm(5)).
func (k *kernel) process(mapped uint64) uint64 {
	b, err := k.statm.read(k.buf[:])
	if err != nil {
		return mapped
	}
	var fields [3]uint64
	for i := range fields {
		word, rest, _ := bytes.Cut(b, []byte{' '})
		fields[i], _ = parseUint(bytes.TrimSpace(word))
		b = rest
	}
	resident, shared := fields[1], fields[2]
	return (resident - min(resident, shared)) * pageSize
}

func (k *kernel) close() {
	for _, l := range k.levels {
		l.close()
	}
	k.group.close()
	k.statm.close()
	k.meminfo.close()
}
