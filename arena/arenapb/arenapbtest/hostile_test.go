package arenapbtest

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/open"
)

// hostile inputs take much memory for their size, or ask for it.
func hostile(n int) map[string][]byte {
	number := protowire.AppendVarint
	long := append(bytes.Repeat([]byte{0x80}, 9), 0) // zero in ten bytes
	all := map[string][]byte{
		"empty entries":             bytes.Repeat(field(71, protowire.BytesType, 0), n),
		"empty entries of messages": bytes.Repeat(field(74, protowire.BytesType, 0), n),
		"empty messages":            bytes.Repeat(field(52, protowire.BytesType, 0), n/20),
		"empty strings":             bytes.Repeat(field(48, protowire.BytesType, 0), n),
		"empty packed":              bytes.Repeat(field(42, protowire.BytesType, 0), n),
		"empty groups":              bytes.Repeat(append(field(53, protowire.StartGroupType), field(53, protowire.EndGroupType)...), n/20),
		"packed zeros":              field(44, protowire.BytesType, append(number(nil, uint64(n)), make([]byte, n)...)...),
		"packed bools":              field(41, protowire.BytesType, append(number(nil, uint64(n)), make([]byte, n)...)...),
		"overlong varints":          field(44, protowire.BytesType, append(number(nil, uint64(10*n)), bytes.Repeat(long, n)...)...),
		"overlong tags":             bytes.Repeat([]byte{0x90, 0x80, 0x80, 0x80, 0, 1}, n),
		"alternating":               bytes.Repeat(append(field(48, protowire.BytesType, 1, 'x'), field(42, protowire.VarintType, 0)...), n),
		"alternating unknown":       bytes.Repeat(append(field(9000, protowire.VarintType, 1), field(2, protowire.VarintType, 1)...), n),
		"unknown":                   bytes.Repeat(field(9000, protowire.VarintType, 1), n),
		"one field again":           bytes.Repeat(field(18, protowire.BytesType, 0), n),
		"one string again":          bytes.Repeat(field(84, protowire.BytesType, 0), n),
		"oneof in turns":            bytes.Repeat(append(field(84, protowire.BytesType, 0), field(81, protowire.VarintType, 0)...), n),
		"nested":                    nested(18, 9_999),
		"nested too deeply":         nested(18, 10_001),
		"nested lists":              nested(52, 9_999),
	}
	for name, f := range map[string]protowire.Number{"string": 14, "message": 18, "list": 52, "packed": 44, "fixed packed": 65, "entry": 71, "unknown": 9000} {
		for bound, length := range map[string]uint64{"2^31-1": math.MaxInt32, "2^31": 1 << 31, "2^63-1": math.MaxInt64, "2^63": 1 << 63, "2^64-1": math.MaxUint64} {
			all[name+" of length "+bound] = append(field(f, protowire.BytesType, number(nil, length)...), make([]byte, n/1000)...)
		}
	}
	return all
}

// Input must not buy more memory than twice that of proto.Unmarshal, the input
// included, and the first chunks of an arena. It holds for the memory that is
// allocated, and for the memory that an accepted message keeps.
func TestHostileInputTakesNoMoreMemory(t *testing.T) {
	if arena.Backend != "slab" || checks {
		t.Skip("this build allocates memory in another way")
	}
	arenapb.Explain((*open.Everything)(nil)) // so that its table is there
	const n, chunks = 1_000_000, 1 << 19
	for name, data := range hostile(n) {
		m, want := new(open.Everything), new(open.Everything)
		var err, wantErr error
		byProto := memoryOf(func() { wantErr = proto.Unmarshal(data, want) })
		a := new(arena.Pool).Get()
		used := memoryOf(func() { err = arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, data, m) })
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s: got the error %v, want %v", name, err, wantErr)
		}
		input := uint64(len(data))
		t.Logf("%s, %d bytes: allocates %d (proto.Unmarshal: %d), keeps %d (%d)", name, input, used.allocated, byProto.allocated, used.kept, byProto.kept)
		if most := 2*(byProto.allocated+input) + chunks; used.allocated+input > most {
			t.Errorf("%s: allocates %d bytes with the input, more than %d", name, used.allocated+input, most)
		}
		if most := 2*(byProto.kept+input) + chunks; err == nil && used.kept+input > most {
			t.Errorf("%s: keeps %d bytes with the input, more than %d", name, used.kept+input, most)
		}
		runtime.KeepAlive(want)
		runtime.KeepAlive(m)
		a.Free()
	}
}

// memory is that of one decoding, in bytes.
type memory struct {
	allocated, kept uint64
}

func memoryOf(decode func()) memory {
	var before, after, collected runtime.MemStats
	for range 3 { // arenas that were dropped leave in steps
		runtime.GC()
	}
	runtime.ReadMemStats(&before)
	decode()
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&collected)
	return memory{after.TotalAlloc - before.TotalAlloc, max(collected.HeapAlloc, before.HeapAlloc) - before.HeapAlloc}
}
