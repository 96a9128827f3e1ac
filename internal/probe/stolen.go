package probe

// MachineTime is what the processors of this machine did since it was started,
// in clock ticks of all of them together.
type MachineTime struct {
	Busy   uint64 // for whatever runs on it
	Stolen uint64 // wanted, but kept back by the hypervisor, which ran other machines
}

// StolenSince returns how much of the CPU time that was wanted since an earlier
// reading was kept back, from 0 to 1; 0 where nothing was wanted, or where the
// system does not tell.
func (t MachineTime) StolenSince(before MachineTime) float64 {
	stolen, busy := float64(t.Stolen)-float64(before.Stolen), float64(t.Busy)-float64(before.Busy)
	if stolen <= 0 || busy < 0 {
		return 0
	}
	return stolen / (stolen + busy)
}
