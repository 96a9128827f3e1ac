// Package outside is memory that the Go runtime knows nothing of, as C code
// takes it: it counts for the process and its control group, and no goal of the
// collector includes it.
package outside

import (
	"fmt"
	"time"
)

const (
	steps = 20
	page  = 4096 // or a multiple of it
)

// Grow takes n bytes of resident memory, at least a page at a time, in equal
// steps over d, and keeps them until the process ends. It is an error outside
// Unix.
func Grow(n int, d time.Duration) error {
	step := max(n/steps, page)
	for taken := 0; taken < n; taken += step {
		b, err := mmap(step)
		if err != nil {
			return fmt.Errorf("%d bytes outside the heap: %w", step, err)
		}
		for i := 0; i < len(b); i += page {
			b[i] = 1
		}
		time.Sleep(d / steps)
	}
	return nil
}
