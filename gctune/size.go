package gctune

import (
	"fmt"
	"strconv"
	"strings"
)

var units = []struct {
	suffix string
	shift  uint
}{{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"B", 0}, {"", 0}}

// ParseSize reads a number of bytes as GOMEMLIMIT writes it: digits and an
// optional unit B, KiB, MiB, GiB or TiB, from 0 to 1 TiB.
func ParseSize(s string) (int64, error) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || digits[0] == '+' || n > maxSize>>u.shift {
			break
		}
		return int64(n) << u.shift, nil
	}
	return 0, fmt.Errorf("gctune: %q is not a size: write digits and B, KiB, MiB, GiB or TiB, such as 256MiB, at most 1TiB", s)
}

// size prints a number of bytes as ParseSize reads it, rounded for the eye.
func size[T int64 | uint64](n T) string {
	switch v := float64(n); {
	case v >= 1<<30 || v <= -1<<30:
		return strconv.FormatFloat(v/(1<<30), 'f', 2, 64) + "GiB"
	case v >= 1<<20 || v <= -1<<20:
		return strconv.FormatFloat(v/(1<<20), 'f', 1, 64) + "MiB"
	default:
		return strconv.FormatInt(int64(n), 10) + "B"
	}
}
