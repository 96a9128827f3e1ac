package diagnose

// Part is a part of what the process holds.
type Part struct {
	Name  string  `json:"name"`
	Bytes float64 `json:"bytes"`
	Note  string  `json:"note,omitempty"`
}

// holding explains what the process holds: the live heap, and what comes on top
// of it. Where RSS is known the parts add up to it, less what was never touched.
// unknown says what the evidence does not tell.
func (e *Evidence) holding() (parts []Part, unknown []string) {
	r := &e.Runtime
	add := func(name string, k Known, note string) {
		if k.OK && k.Value >= 0 {
			parts = append(parts, Part{name, k.Value, note})
		}
	}
	live := e.liveHeap()
	if r.Objects.OK && live.Value > r.Objects.Value {
		live.Value = r.Objects.Value // a profile's estimate can exceed what there is
	}
	add("live heap", live, "what the last collection found")
	if !live.OK {
		unknown = append(unknown, "the live heap: give a heap profile")
		add("live heap and garbage", r.Objects, "")
	}
	if !r.Sys.OK {
		unknown = append(unknown, "what is held beyond the live heap: give /debug/vars, or let collect fetch it")
		return parts, unknown
	}
	if live.OK {
		add("garbage", minus(r.Objects, live), "waits for the next collection")
	}
	add("free space in used spans", minus(r.InUse, r.Objects), "between objects of other sizes")
	add("idle spans", minus(r.Idle, r.Released), "kept for the next allocations, not given back")
	add("stacks", r.Stacks, "")
	add("runtime", r.Metadata, "spans, bit maps, profiling")
	if !r.RSS.OK {
		unknown = append(unknown, "what is resident (RSS) and what is held outside Go, by C libraries or mapped files: "+
			"let the service tell process_resident_memory_bytes at /metrics, or ask the system")
		return parts, unknown
	}
	outside := Known{r.RSS.Value - (r.Sys.Value - r.Released.Value), true}
	if r.PeakRSS {
		add("outside Go or given back", outside, "the binary, C libraries, mapped files; what was resident at the peak and is not now")
	} else {
		add("outside Go", outside, "the binary, C libraries, mapped files")
	}
	add("never touched", Known{-outside.Value, outside.Value < 0}, "got from the system and not resident: to be taken off")
	return parts, unknown
}

// liveHeap is what the runtime says, otherwise what the last heap profile does.
func (e *Evidence) liveHeap() Known {
	if e.Runtime.Live.OK {
		return e.Runtime.Live
	}
	return Known{e.pool.live, len(e.Heaps) > 0}
}

func minus(a, b Known) Known { return Known{a.Value - b.Value, a.OK && b.OK} }
