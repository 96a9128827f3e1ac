package gctune_test

import (
	"fmt"

	"github.com/heapwright/heapwright/gctune"
)

func Example() {
	tuner, err := gctune.Start(gctune.Options{MinHeap: 256 << 20}) // the limit comes from the cgroup
	defer tuner.Stop()                                             // restores GOGC and the memory limit
	fmt.Println(err, gctune.Stats().State)
	// Output: <nil> calm
}
