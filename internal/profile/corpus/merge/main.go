// Command merge writes the sum of the profiles it is given, for BenchmarkMerge:
// merge OUT FILE….
package main

import (
	"bufio"
	"log"
	"os"

	"github.com/heapwright/heapwright/internal/profile"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: merge OUT FILE…")
	}
	sum, err := profile.MergeFiles(os.Args[2:]...)
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(f)
	if err := sum.Encode(w); err != nil {
		log.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}
