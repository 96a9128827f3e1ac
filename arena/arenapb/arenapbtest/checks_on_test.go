//go:build race || asan || arenadebug

package arenapbtest

// checks reports whether arenas look for uses of freed memory.
const checks = true
