package arenapbtest

import (
	"os"
	"os/exec"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// An operator who doubts the arenas turns them off without another build.
func TestTurnedOff(t *testing.T) {
	const variable = "HEAPWRIGHT_ARENAPB=off"
	if os.Getenv("HEAPWRIGHT_ARENAPB") != "off" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTurnedOff$")
		cmd.Env = append(os.Environ(), variable)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("with %s: %v\n%s", variable, err, out)
		}
		return
	}
	data := batch(t, 10)
	want := new(collector.ExportTraceServiceRequest)
	if err := proto.Unmarshal(data, want); err != nil {
		t.Fatal(err)
	}
	text, err := protojson.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var pool arena.Pool
	a := pool.Get()
	binary, json := new(collector.ExportTraceServiceRequest), new(collector.ExportTraceServiceRequest)
	if err := arenapb.Unmarshal(a, data, binary); err != nil {
		t.Error(err)
	}
	if err := arenapb.UnmarshalJSON(a, text, json); err != nil {
		t.Error(err)
	}
	if held := a.Stats().Bytes; held != 0 {
		t.Errorf("%d bytes are in the arena", held)
	}
	a.Free()
	if !proto.Equal(binary, want) || !proto.Equal(json, want) {
		t.Error("the messages differ")
	}
}
