package machine

// Time is the time of this machine's processors since it was started, in clock
// ticks of all of them together.
type Time struct {
	Busy   uint64 // used by whatever runs on the machine
	Stolen uint64 // wanted, but taken by the hypervisor for other machines
}

// StolenSince returns the share of the CPU time wanted since an earlier reading that
// was stolen, from 0 to 1. It is 0 if no time was wanted or the system does not
// account for it.
func (t Time) StolenSince(before Time) float64 {
	stolen, busy := float64(t.Stolen)-float64(before.Stolen), float64(t.Busy)-float64(before.Busy)
	if stolen <= 0 || busy < 0 {
		return 0
	}
	return stolen / (stolen + busy)
}
