package collect

import (
	"bytes"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"testing/synctest"
)

func TestCountersOfThisProgram(t *testing.T) {
	runtime.GC()
	var text bytes.Buffer
	if err := pprof.Lookup("heap").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	m, err := memstats(countersIn(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if m.NumForcedGC == 0 || m.NumForcedGC > now.NumForcedGC || m.NumGC > now.NumGC || m.NextGC == 0 || m.StackSys == 0 || m.StackInuse > m.StackSys || m.LastGC == 0 {
		t.Errorf("read %+v", m)
	}
	for _, bad := range []string{"", "heap profile: 0: 0 [0: 0] @ heap/1048576\n", "x\n# runtime.MemStats\n# Sys = a\n"} {
		if data := countersIn([]byte(bad)); data != nil {
			t.Errorf("%q gave %s", bad, data)
		}
	}
}

// A service without expvar tells the counters of collection all the same.
func TestCountersWithoutVars(t *testing.T) {
	recordings()
	var text bytes.Buffer
	if err := pprof.Lookup("heap").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		delete(s, "/debug/vars")
		binary := s["/debug/pprof/heap"]
		s["/debug/pprof/heap"] = func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("debug") == "1" {
				w.Write(text.Bytes())
				return
			}
			binary(w, r)
		}
		doc, err := Run(t.Context(), start(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if doc.GC == nil || doc.GC.Window == nil || doc.GC.Process.NextGC == 0 || len(doc.Paths("", "vars")) != 2 {
			t.Errorf("%+v", doc.GC)
		}
		for _, f := range doc.Files {
			if f.Type == "vars" && !strings.HasSuffix(f.URL, "/debug/pprof/heap?debug=1") {
				t.Errorf("%+v", f)
			}
		}
	})
}
