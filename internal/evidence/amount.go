package evidence

// Range is a share between two bounds, each from 0 to 1.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Plus adds shares that can be saved together.
func (r Range) Plus(s Range) Range {
	return Range{min(r.Low+s.Low, 1), min(r.High+s.High, 1)}
}

// Times returns a part of the share, for a remedy that removes only so much.
func (r Range) Times(low, high float64) Range { return Range{r.Low * low, r.High * high} }

// Middle returns the share half way.
func (r Range) Middle() float64 { return (r.Low + r.High) / 2 }

// Confidence is how sure the evidence is of a cause. Ranges, not confidences, say
// how much its remedy would save.
type Confidence string

// Confidences.
const (
	High   Confidence = "high"   // the profile or the compiler names the cause itself
	Medium Confidence = "medium" // several signs agree
	Low    Confidence = "low"    // it looks like it
)

// Amount is memory in both its sizes, as a heap profile estimates them.
type Amount struct {
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
}

func (a *Amount) add(b Amount) { a.Bytes += b.Bytes; a.Objects += b.Objects }

func (a Amount) minus(b Amount) Amount { return Amount{a.Bytes - b.Bytes, a.Objects - b.Objects} }

// atLeastZero removes the sampling noise below zero from the difference of two
// profiles.
func (a Amount) atLeastZero() Amount { return Amount{max(a.Bytes, 0), max(a.Objects, 0)} }

// Weight is the allocations and costs of one stack, or of several together.
type Weight struct {
	Alloc, Live Amount
	CPU         float64 // share of CPU time
	// Work is the part of CPU that neither allocates nor collects nor copies into
	// new memory: it remains if the memory comes for nothing.
	Work float64
	// Saves and Memory are the ceilings of the allocations made there.
	Saves, Memory Range
}

// Add adds the weight of other stacks.
func (w *Weight) Add(v Weight) {
	w.Alloc.add(v.Alloc)
	w.Live.add(v.Live)
	w.CPU += v.CPU
	w.Work += v.Work
	w.Saves, w.Memory = w.Saves.Plus(v.Saves), w.Memory.Plus(v.Memory)
}

// times returns a part of the weight.
func (w Weight) times(part float64) Weight {
	return Weight{
		Alloc: Amount{w.Alloc.Bytes * part, w.Alloc.Objects * part},
		Live:  Amount{w.Live.Bytes * part, w.Live.Objects * part},
		CPU:   w.CPU * part, Work: w.Work * part, Saves: w.Saves.Times(part, part), Memory: w.Memory.Times(part, part),
	}
}
