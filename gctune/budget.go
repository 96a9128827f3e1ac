package gctune

import "time"

// memory is what the kernel says about the process, in bytes.
type memory struct {
	limit uint64 // the tightest level's limit; 0 where none is known
	room  int64  // what that level could still be charged with
	from  string // what set the limit
	lost  bool   // the files that told of it have vanished

	available, total uint64 // the machine's; 0 where unknown

	fresh bool // read anew for this observation
}

// budget learns how much of the limit the Go runtime may use: what it has
// mapped plus what is left. The rest, C memory, kernel memory, other
// processes in the group, is thereby known without asking what it is. It
// believes a lower figure at once and a higher one slowly, for the charge
// lags behind the map.
type budget struct {
	known bool
	lost  bool // the limit is what the group's files told last
	limit uint64
	bytes int64
	prev  int64
	at    time.Duration
	drop  int64 // how much the figure fell from one tick to the next

	// credit is the most that was mapped but not charged: pages that were not
	// touched yet, or that another group paid for. They may be touched any
	// time, so what eats the credit up is taken for memory outside the heap.
	credit int64
}

const (
	tick = time.Second

	// trustAfter is how long it takes to believe most of a rise.
	trustAfter = 30 * time.Second

	// forgetCredit is how long it takes to forget most of a credit, and
	// creditShare bounds it to a sixteenth of the limit: a large buffer that is
	// never touched should not count for ever.
	forgetCredit = 5 * time.Minute
	creditShare  = 16

	// The charge is batched per CPU (64 pages, memcontrol.c) and page tables
	// and kernel stacks grow with the heap.
	marginShare = 50 // one fiftieth of the limit
	marginLeast = 4 << 20
)

func (b budget) learn(now time.Duration, m *memory, mapped uint64) budget {
	if m.limit == 0 {
		return budget{}
	}
	figure, limit := int64(mapped)+m.room, int64(m.limit)
	if b.limit != m.limit {
		b = budget{known: true, limit: m.limit, bytes: limit, prev: min(figure, limit), at: now}
	}
	b.lost = m.lost
	b.credit = max(b.credit, min(figure-limit, limit/creditShare))
	figure = min(figure-b.credit, limit)
	b.bytes = min(b.bytes, figure)
	if dt := now - b.at; dt >= tick/2 {
		b.bytes += int64(float64(figure-b.bytes) * min(float64(dt)/float64(trustAfter), 1))
		// What fell within a tick may fall again before the next look.
		b.drop = min(max(b.prev-figure, 0), limit/8)
		b.credit -= int64(float64(b.credit) * min(float64(dt)/float64(forgetCredit), 1))
		b.prev, b.at = figure, now
	}
	return b
}

// forGo is the memory limit that the runtime is to keep.
func (b *budget) forGo() int64 {
	return b.bytes - b.drop - b.margin()
}

// margin is what the limit for Go leaves free of the budget.
func (b *budget) margin() int64 { return int64(max(b.limit/marginShare, marginLeast)) }

// nonGo is the memory in bytes that is charged but is not the Go runtime's.
func (b *budget) nonGo() int64 { return int64(b.limit) - b.bytes }
