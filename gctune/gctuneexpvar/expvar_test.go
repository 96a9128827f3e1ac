package gctuneexpvar

import (
	"encoding/json"
	"expvar"
	"testing"

	"github.com/heapwright/heapwright/gctune"
)

func TestPublish(t *testing.T) {
	tuner, err := gctune.Start(gctune.Options{MinHeap: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer tuner.Stop()
	Publish("gctune")
	var s gctune.Snapshot
	if err := json.Unmarshal([]byte(expvar.Get("gctune").String()), &s); err != nil || s.State == gctune.Stopped || s.Floor != 8<<20 {
		t.Errorf("%+v, %v", s, err)
	}
}
