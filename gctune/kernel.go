package gctune

import (
	"bytes"
	"io/fs"
	"os"
	"time"
)

// kernel reads the operating system's account of the process's memory. Outside
// Linux there is none, and the figures stay unknown.
type kernel struct {
	root  fs.FS
	given uint64 // Options.Limit where one is given
	none  bool   // Options.Limit is NoLimit

	group, statm, meminfo *reader
	member                []byte    // /proc/self/cgroup when levels were opened
	searched              time.Time // when levels were searched
	levels                []*level
	decider               *level // the level with the least room; nil if the limit is not a level's
	limit, charge         uint64 // the tightest level's, as usage returned them at the last read
	slack                 uint64 // how far the charge may move before everything is read again

	buf [16 << 10]byte
}

func newKernel(root fs.FS, limit int64) *kernel {
	open := func(name string) *reader { return &reader{root: root, name: name} }
	k := &kernel{root: root, none: limit == NoLimit, given: uint64(max(limit, 0)),
		group: open("proc/self/cgroup"), statm: open("proc/self/statm"), meminfo: open("proc/meminfo")}
	k.find()
	return k
}

// searchAgain is the interval at which levels are searched for while there are
// none: the memory controller may be enabled for a group that already has processes.
const searchAgain = time.Minute

// find opens the levels of the group that the process is in now.
func (k *kernel) find() {
	k.searched = time.Now()
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

// read fills in m. mapped is the memory that the Go runtime has mapped, which
// stands for the process's where the system has no figure.
func (k *kernel) read(m *memory, mapped uint64) {
	*m = memory{fresh: true}
	b, err := k.group.read(k.buf[:])
	moved := err == nil && !bytes.Equal(b, k.member)
	if moved || len(k.levels) == 0 && time.Since(k.searched) >= searchAgain {
		k.find()
	}
	if k.tightest(m) != nil { // the group has been removed
		*m = memory{fresh: true}
		k.find()
		_ = k.tightest(m) // nothing is known, then
	}
	if k.given != 0 {
		if room := int64(k.given) - int64(k.process(mapped)); m.limit == 0 || room < m.room {
			m.limit, m.room, m.from, k.decider = k.given, room, "options", nil
		}
	}
	k.limit, k.charge = k.usage()
	k.slack = m.limit / slackShare
	if b, err := k.meminfo.read(k.buf[:]); err == nil {
		available, _ := field(b, "MemAvailable")
		total, _ := field(b, "MemTotal")
		m.available, m.total = available<<10, total<<10
	}
}

// usage reads only the limit that decides and the charge that counts against it.
func (k *kernel) usage() (limit, charge uint64) {
	switch {
	case k.decider != nil:
		limit, charge = k.decider.usage(k.buf[:])
	case k.given != 0:
		limit, charge = k.given, k.process(0)
	}
	return limit, charge
}

// slackShare is the part of the limit that is slack: a twentieth of the margin.
const slackShare = 200

// quiet reports whether limit and charge are as at the last read.
func (k *kernel) quiet() bool {
	limit, charge := k.usage()
	return limit == k.limit && max(charge, k.charge)-min(charge, k.charge) <= k.slack
}

// tightest finds the level with the least room.
func (k *kernel) tightest(m *memory) error {
	k.decider = nil
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
		if m.limit == 0 || room < m.room {
			m.limit, m.room, m.from, k.decider = limit, room, l.name, l
		}
	}
	return nil
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
