package stats

// medianSelect returns the median of s, which it reorders: O(n) where sorting
// is O(n log n), because FlipQuantile takes a thousand medians.
func medianSelect(s []float64) float64 {
	mid := len(s) / 2
	selectNth(s, mid)
	if len(s)%2 == 1 {
		return s[mid]
	}
	below := s[0]
	for _, x := range s[1:mid] {
		below = max(below, x)
	}
	return below/2 + s[mid]/2
}

// selectNth reorders s so that s[k] has the value that it would have if s were
// sorted, with nothing larger before and nothing smaller after it (Hoare's FIND,
// CACM 4, 1961).
func selectNth(s []float64, k int) {
	low, high := 0, len(s)-1
	for low < high {
		pivot := s[k]
		i, j := low, high
		for i <= j {
			for s[i] < pivot {
				i++
			}
			for pivot < s[j] {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		if j < k {
			low = i
		}
		if k < i {
			high = j
		}
	}
}
