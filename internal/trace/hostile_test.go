package trace

import (
	"bytes"
	"encoding/binary"
	"runtime"
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

// Batches that announce more than comes take no more than the largest of the format.
func TestAnnouncedBatches(t *testing.T) {
	for _, size := range []uint64{64 << 10, 64<<10 + 1, 20 << 20, 1 << 62} {
		data := binary.AppendUvarint([]byte("go 1.26 trace\x00\x00\x00\x01\x01\x01\x01"), size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(t.Context(), "trace", bytes.NewReader(append(data, 2)), Options{})
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > 1<<20 {
			t.Errorf("a batch of %d bytes: %d bytes allocated, %v", size, got, err)
		}
	}
}
