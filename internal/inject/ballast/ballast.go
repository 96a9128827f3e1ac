// Package ballast is the source of inject.Ballast, added to a target by go build
// -overlay under the name of the target's own package. Nothing imports it; it
// is a package so that the usual tools check it.
//
// It is the usual ballast of services: a slice without pointers that lives as long as the
// process and that nobody touches. The collector counts it, and the system gives it no
// pages.
package ballast

import (
	heapwrightOS "os"
	heapwrightStrconv "strconv"
)

var heapwrightBallast = func() []byte {
	text := heapwrightOS.Getenv("HEAPWRIGHT_BALLAST")
	n, err := heapwrightStrconv.Atoi(text)
	if err != nil || n < 0 {
		heapwrightOS.Stderr.WriteString("heapwright ballast: HEAPWRIGHT_BALLAST=" + text + " is no number of bytes\n")
		return nil
	}
	return make([]byte, n)
}()

var _ = heapwrightProbeTells(func(b []byte) []byte {
	return append(heapwrightStrconv.AppendInt(append(b, "ballast "...), int64(len(heapwrightBallast)), 10), '\n')
})
