package gctune_test

import (
	"fmt"

	"github.com/heapwright/heapwright/gctune"
)

func Example() {
	err := gctune.Start(gctune.Options{MinHeap: 256 << 20}) // the limit is that of the cgroup
	defer gctune.Stop()                                     // restores GOGC and the memory limit
	fmt.Println(err, gctune.Stats().State)
	// Output: <nil> calm
}
