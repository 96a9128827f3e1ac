package inject

import _ "embed"

//go:embed profiled/cpuprofile.go
var profiledSource string

//go:embed profiled/atexit.go
var atExitSource string

//go:embed profiled/exectrace.go
var tracedSource string

// Profiles is the injection that lets a command write CPU profiles, for PGO:
// with HEAPWRIGHT_CPUPROFILE=FILE in its environment it writes one of every
// second to FILE.0, FILE.1 and so on, and with HEAPWRIGHT_HEAPPROFILE=FILE a heap
// profile at the end of each. The last may be incomplete. HEAPWRIGHT_SLICE=100ms
// changes the second, HEAPWRIGHT_FIRSTSLICE=7 the first number. With
// HEAPWRIGHT_EXECTRACE=FILE it writes an execution trace until it ends, or for
// HEAPWRIGHT_EXECTRACE_FOR=1s.
func Profiles() Source {
	return Source{Name: "profile", Files: map[string]string{"cpu": profiledSource, "trace": tracedSource}}
}

// ProfilesAtExit is Profiles with all that a run leaves, however short it is. It
// links with -checklinkname=0 alone, from Go 1.23 on.
func ProfilesAtExit() Source {
	in := Profiles()
	in.Files["atexit"] = atExitSource
	return in
}
