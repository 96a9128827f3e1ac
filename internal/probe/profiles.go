package probe

import _ "embed"

//go:embed profiled/cpuprofile.go
var profiledSource string

// Profiles is the injection that lets a command write CPU profiles, for PGO:
// with HEAPWRIGHT_CPUPROFILE=FILE in its environment it writes one of every
// second to FILE.0, FILE.1 and so on, and with HEAPWRIGHT_HEAPPROFILE=FILE a heap
// profile at the end of each. The last may be incomplete.
func Profiles() Injection {
	return Injection{Name: "profile", Files: map[string]string{"cpu": profiledSource}}
}
