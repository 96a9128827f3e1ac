package experiment

import (
	"testing"
	"testing/synctest"
	"time"
)

// On a busy machine recordings take longer than planned. The first to be left out are those
// that allocate least, wherever they are listed.
func TestRecordingsThatMatterFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{
			Names: []string{"Idle", "Slow", "Fast"}, rates: map[string]float64{"Idle": 1, "Slow": 10, "Fast": 20},
			idle: map[string]bool{"Idle": true}, profiling: 25 * time.Second,
		}
		p := planOf(t, f, "default", lab(t))
		p.Budget, p.Select = 30*time.Second, true
		doc := NewDocument()
		all, err := Record(t.Context(), p, doc, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != 1 || all[0].Benchmark != "Fast" {
			t.Errorf("it recorded %+v", all)
		}
		if len(doc.LeftOut) != 2 || doc.LeftOut[0].Benchmark != "Slow" {
			t.Errorf("it left out %v", doc.LeftOut)
		}
	})
}
