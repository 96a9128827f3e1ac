package clean

import (
	"os"
	"testing"
)

func TestOpen(t *testing.T) {
	for _, name := range os.Args {
		f, _ := os.Open(name)
		defer f.Close()
	}
}
