package trace

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/trace/tracetest"
)

// Traces of 4 MB that ask for twenty times as much end at the bound.
func TestAmplifiersEndAtTheBound(t *testing.T) {
	for _, name := range tracetest.Amplifiers() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tracetest.Amplify(&b, name, 4<<20); err != nil {
				t.Fatal(err)
			}
			_, err := Read(t.Context(), name, &b, Options{MaxMemory: 64 << 20})
			if err == nil || !strings.Contains(err.Error(), "takes more than 64 MiB of memory") {
				t.Error(err)
			}
		})
	}
}
