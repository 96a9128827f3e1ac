package flametest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	pprof "github.com/google/pprof/profile"
)

// Many is a heap profile of n distinct stacks, of the shape that
// internal/profile/corpus has: 1,600 functions in 40 layers, 4 to 40 deep.
func Many(n int) *pprof.Profile {
	rng := rand.New(rand.NewPCG(1, 2))
	samples, seen := make([]Sample, 0, n), map[string]bool{}
	for len(samples) < n {
		stack := []string{"runtime.main", "main.main", "main.serve"}
		for layer := 0; layer < 40; layer += 1 + rng.IntN(2) {
			stack = append(stack, fmt.Sprintf("example.com/service/layer%02d.(*Handler).Do%d", layer,
				int(40*rng.Float64()*rng.Float64())))
			if len(stack) > 4 && rng.IntN(12) == 0 {
				break
			}
		}
		if text := strings.Join(stack, " > "); !seen[text] {
			seen[text] = true
			bytes := int64(16 << rng.IntN(10))
			samples = append(samples, Stack(text, 1+rng.Int64N(500), bytes*(1+rng.Int64N(500)),
				rng.Int64N(9), bytes*rng.Int64N(9)))
		}
	}
	return New("alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes", samples...)
}
