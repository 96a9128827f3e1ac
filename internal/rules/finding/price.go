package finding

// Price is the measured cost of executing a line's expression once. The expression was executed
// additional times, and the slope of CPU time over their number is the price.
type Price struct {
	CPU    float64 `json:"cpu"` // share of the target's CPU time, the mean over its benchmarks
	Low    float64 `json:"low"` // ends of its interval
	High   float64 `json:"high"`
	Times  int     `json:"times"`  // how often it was executed again
	Blocks int     `json:"blocks"` // pairs of runs
	// Why says why there is no price, "" if there is one.
	Why string `json:"why,omitempty"`
}
