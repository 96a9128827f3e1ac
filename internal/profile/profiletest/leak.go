package profiletest

import "testing"

// LeakAndCache writes eight heap profiles of one process, 450 seconds apart, and
// returns their names. In app.leak the live heap grows by 16 MiB from each to the
// next, except for one profile that is far off; in app.cache it stays near 500 MiB.
func LeakAndCache(t testing.TB) (files []string) {
	leak, cache := "example.org/app.leak@/src/app/x.go:1"+Main, "example.org/app.cache@/src/app/x.go:2"+Main
	const mib = 1 << 20 / 64 // objects
	for i := range int64(8) {
		odd := int64(0)
		if i == 4 {
			odd = 400 * mib
		}
		files = append(files, NewHeap(i*450).
			Heap((1000+50*i)*mib, (101+16*i)*mib+odd, leak).
			Heap((1000+20*i)*mib, (500+i%3)*mib, cache).
			File(t, "heap"))
	}
	return files
}
