package evidence

// WaitingPlace is a line where suspiciously many goroutines are blocked: their
// number grows over the goroutine profiles or, with fewer than three profiles, is a
// thousand or more and does not fall.
type WaitingPlace struct {
	Frame            // innermost own line, where they are blocked
	Path   []Frame   // without the runtime's frames, the leaf first
	Counts []float64 // by profile
	// Grows reports a trend of three or more profiles whose whole interval is above zero.
	Grows bool
	// Leaked is how many goroutines no running one can ever wake, by a goroutine leak
	// profile (Go 1.27 and later).
	Leaked float64
}

// Now returns the number of goroutines in the last profile, or of those that leaked.
func (p *WaitingPlace) Now() float64 {
	if len(p.Counts) == 0 {
		return p.Leaked
	}
	return max(p.Leaked, p.Counts[len(p.Counts)-1])
}
