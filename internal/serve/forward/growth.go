package forward

import (
	"slices"
	"sync"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/store"
)

// growth makes of the allocations since the start of a process, which a snapshot of the heap
// counts, those since the snapshot before. A Pyroscope adds all profiles up. The zero value is
// ready, and serves many goroutines.
type growth struct {
	mu    sync.Mutex
	held  map[string]snapshot // process → its last snapshot
	bytes int                 // the size of all of them
	count int                 // the number of the next one
}

// snapshot is a profile as it came, compressed if it was.
type snapshot struct {
	data []byte
	at   int
}

// mostHeld bounds the snapshots in memory, in bytes.
const mostHeld = 64 << 20

// since returns a snapshot of a process with the allocations since its last one. Without one
// they are not known, and count as none. After a restart, all are new.
func (g *growth) since(process string, p *profile.Profile, data []byte) (*profile.Profile, error) {
	last := g.swap(process, data)
	out := *p
	out.Values = slices.Clone(p.Values)
	if last == nil {
		for _, name := range store.Growing {
			if at, ok := p.Column(name); ok {
				out.Values[at] = make([]int64, p.Len())
			}
		}
		return &out, nil
	}
	// Equal stacks have equal numbers in one dictionary.
	d := profile.NewDecoder(profile.Options{Dict: new(profile.Dict), Rebase: true})
	now, err := d.DecodeBytes(p.Name, data)
	if err != nil {
		return nil, err
	}
	before, err := d.DecodeBytes(p.Name, last)
	if err != nil {
		return nil, err
	}
	out = *now
	out.Values = slices.Clone(now.Values)
	for _, name := range store.Growing {
		at, ok := now.Column(name)
		from, also := before.Column(name)
		if !ok || !also {
			continue
		}
		if now.Total(at) < before.Total(from) {
			out.Values = now.Values // it restarted
			break
		}
		out.Values[at] = less(now, at, before, from)
	}
	return &out, nil
}

// sample names a sample of profiles with one dictionary.
type sample struct {
	stack  profile.StackID
	labels profile.LabelsID
}

// less returns a column without the values of another one.
func less(p *profile.Profile, column int, before *profile.Profile, from int) []int64 {
	known := map[sample]int64{}
	for i, v := range before.Values[from] {
		known[sample{before.Stacks[i], before.Labels[i]}] += v
	}
	rest := slices.Clone(p.Values[column])
	for i := range rest {
		id := sample{p.Stacks[i], p.Labels[i]}
		known[id], rest[i] = known[id]-min(known[id], rest[i]), rest[i]-min(known[id], rest[i])
	}
	return rest
}

// swap holds the snapshot of a process, and returns the one before, nil if none is held.
func (g *growth) swap(process string, data []byte) (last []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held == nil {
		g.held = map[string]snapshot{}
	}
	last = g.held[process].data
	g.bytes -= len(last)
	delete(g.held, process)
	if len(data) > mostHeld {
		return last
	}
	g.count++
	g.held[process] = snapshot{data, g.count}
	for g.bytes += len(data); g.bytes > mostHeld; {
		oldest := process
		for name, s := range g.held {
			if s.at < g.held[oldest].at {
				oldest = name
			}
		}
		g.bytes -= len(g.held[oldest].data)
		delete(g.held, oldest)
	}
	return last
}
