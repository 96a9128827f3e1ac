package ballast

// heapwrightProbeTells stands for the function of the probe, which is in every target
// that this is added to. This file is not.
func heapwrightProbeTells(func([]byte) []byte) bool { return false }
