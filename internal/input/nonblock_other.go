//go:build !unix

package input

// nonblocking is not needed here: no pipe has a place among the files.
const nonblocking = 0
