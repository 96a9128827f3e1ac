package evidence

// WaitingPlace is where suspiciously many goroutines are: their number grows over
// the goroutine profiles or, with fewer than three profiles, is a thousand or more
// and does not fall.
type WaitingPlace struct {
	// Frame is the innermost own line, where they are blocked. If no own line is on
	// their stacks, Library is set, and Frame is the function that they began in.
	Frame
	Library bool
	Path    []Frame   // the most frequent, without the runtime's frames, the leaf first
	Counts  []float64 // one count per profile
	Trend   Trend
	// Grows reports a trend of three or more profiles whose whole interval is above zero.
	Grows bool
	// Waits are the states of the goroutines in the last profile that shows any, the
	// most frequent first.
	Waits []Waiting
	// Leaked is how many goroutines no running one can ever wake, by a goroutine leak
	// profile (Go 1.27 and later).
	Leaked float64
	// Creators are the functions that started them, the most frequent first: as text
	// dumps name them.
	Creators []Frame
}

// Waiting is goroutines that wait for the same reason at the same place.
type Waiting struct {
	Reason Reason
	Count  float64
	Path   []Frame // without the runtime's frames, the leaf first
}

// Now returns the number of goroutines in the last profile, or of those that leaked.
func (p *WaitingPlace) Now() float64 {
	if len(p.Counts) == 0 {
		return p.Leaked
	}
	return max(p.Leaked, p.Counts[len(p.Counts)-1])
}

// Reason returns what most of the goroutines wait for.
func (p *WaitingPlace) Reason() Reason {
	if len(p.Waits) == 0 {
		return UnknownWait
	}
	return p.Waits[0].Reason
}

// Waiters returns how many goroutines wait for a reason in the last profile.
func (p *WaitingPlace) Waiters(reason Reason) (n float64) {
	for _, w := range p.Waits {
		if w.Reason == reason {
			n += w.Count
		}
	}
	return n
}

// Trend is how a number changes with time.
type Trend struct {
	PerHour float64 `json:"per_hour"` // the median of the slopes between all pairs of profiles (Theil–Sen)
	Low     float64 `json:"low"`      // ends of its 95% interval
	High    float64 `json:"high"`
}

// GoroutineCount is the number of goroutines over the goroutine profiles.
type GoroutineCount struct {
	First    float64 `json:"first"`
	Last     float64 `json:"last"`
	Profiles int     `json:"profiles"`
	Trend    *Trend  `json:"trend,omitempty"`  // nil with fewer than three profiles
	Groups   []Group `json:"groups,omitempty"` // the largest in the last profile, the most first
}

// Group is goroutines that began in one function.
type Group struct {
	Function string  `json:"function"` // the outermost of their stacks
	First    float64 `json:"first"`
	Last     float64 `json:"last"`
}
