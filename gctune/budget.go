package gctune

import "time"

// memory is the kernel's account of the process, in bytes.
type memory struct {
	limit uint64 // the limit of the tightest cgroup level; 0 if none is known
	room  int64  // what the level can still be charged with
	from  string // the origin of the limit

	available, total uint64 // the machine's; 0 if unknown

	fresh bool // read for this observation
}

// budget learns how much of the limit the Go runtime may use: the memory that
// it has mapped plus the room that is left. Everything else, such as C memory,
// kernel memory and other processes in the cgroup, is thereby accounted for
// without being measured one by one.
type budget struct {
	known bool
	limit uint64
	bytes int64
	at    time.Duration

	// credit is the most memory that was mapped but not charged: pages that are
	// not touched yet. It is taken off, or memory outside the heap that grows
	// would stay hidden behind it.
	credit int64
}

const (
	// trustAfter is the time constant with which a higher figure is believed.
	// Pages are mapped before they are touched and charged, so the figure rises
	// for a moment whenever the heap grows. A lower figure is believed at once.
	trustAfter = 30 * time.Second

	// leastMargin is the percentage of the budget that stays free. A cycle that
	// reaches its goal before it has marked everything continues to 1.1 times
	// that goal (mgcpacer.go, revise, maxOvershoot), so 1/11 is the least that is
	// safe.
	leastMargin = 10

	// More stays free, up to mostMargin percent, for a program that could allocate
	// more in a stall: while the system holds up one thread of the collector, the
	// program's other threads allocate without assisting.
	mostMargin = 15
	stall      = 10 * time.Millisecond

	// creditShare bounds the credit to a sixteenth of the limit, since a large
	// buffer that is never touched is no reason to shrink the heap by its size.
	creditShare = 16
)

func (b budget) learn(now time.Duration, m *memory, mapped uint64) budget {
	if m.limit == 0 {
		return budget{}
	}
	figure, limit := int64(mapped)+m.room, int64(m.limit)
	if b.limit != m.limit {
		b = budget{known: true, limit: m.limit, bytes: limit, at: now}
	}
	b.credit = max(b.credit, min(figure-limit, limit/creditShare))
	figure = min(figure-b.credit, limit)
	b.bytes += int64(float64(figure-b.bytes) * min(float64(now-b.at)/float64(trustAfter), 1))
	b.bytes, b.at = min(b.bytes, figure), now
	return b
}

// forGo is the memory limit that the runtime is to keep for a program that
// allocates rate bytes per second. Other processes of the cgroup may leave
// nothing.
func (b *budget) forGo(rate float64) int64 {
	percent := b.bytes / 100
	margin := min(max(int64(rate*stall.Seconds()), percent*leastMargin), percent*mostMargin)
	return max(b.bytes-margin, 0)
}

// nonGo is the memory in bytes that is charged but is not the Go runtime's.
func (b *budget) nonGo() int64 { return int64(b.limit) - b.bytes }
