// Package planted is a workload with regressions of a known size behind build
// tags: planted_cpu10 makes each operation 10% more CPU, planted_alloc5 makes
// it 5% more allocations, planted_alloc6 6%. It measures compare's sensitivity:
//
//	heapwright compare ./workloads/planted -modes default,tags=planted_cpu10,tags=planted_alloc5
//
// Expected: planted_cpu10 is worse on CPU by 10% for Hash and inconclusive at
// most, never the same; planted_alloc5 is worse on allocs/op by 5% for Boxes.
package planted

import "hash/fnv"

// hash does units of pure CPU work.
func hash(data []byte) uint64 {
	var sum uint64
	for range cpuUnits {
		h := fnv.New64a()
		h.Write(data)
		sum += h.Sum64()
	}
	return sum
}

// box is small and holds a pointer, as most objects of a service do.
type box struct {
	next *box
	_    [3]int
}

// boxes makes a list of units of garbage.
func boxes() *box {
	var head *box
	for range allocUnits {
		head = &box{next: head}
	}
	return head
}
