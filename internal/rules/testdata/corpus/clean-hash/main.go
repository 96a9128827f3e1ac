// Blocks are hashed into an array on the stack.
package main

import (
	"crypto/sha256"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type chain struct{ last [sha256.Size]byte }

func (c *chain) extend(block []byte) {
	copy(block, c.last[:])
	c.last = sha256.Sum256(block)
}

func main() {
	var c chain
	block := make([]byte, 4096)
	harness.Run(func() { c.extend(block) })
}
