package collect

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// No answer of /metrics is a failure, and a damaged one is not used in part.
func TestResident(t *testing.T) {
	recordings()
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   int64
		says   string // why it is not known
	}{
		"a gauge": {send([]byte("# HELP " + residentGauge + " Resident memory size in bytes.\n# TYPE " + residentGauge + " gauge\n" +
			residentGauge + " 2.5571328e+07\n" + residentGauge + "_max 9\ngo_goroutines 8\n")), 25571328, ""},
		"labels and a time": {send([]byte(residentGauge + `{app="a } 7",x="\""} 4096 1700000000000` + "\n")), 4096, ""},
		"none of it":        {send([]byte("go_goroutines 8\n")), 0, "is not known"},
		"another text":      {send([]byte("welcome\n")), 0, "is not known"},
		"HTML":              {send([]byte("<!DOCTYPE html><p>Log in\n")), 0, "is not known"},
		"404":               {http.NotFound, 0, "is not known"},
		"403":               {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, 0, "403 Forbidden"},
		"500":               {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, 0, "500 Internal Server Error"},
		"two processes":     {send([]byte(residentGauge + "{pid=\"1\"} 1\n" + residentGauge + "{pid=\"2\"} 2\n")), 0, "several times"},
		"no number":         {send([]byte(residentGauge + " much\x1b[31m\n")), 0, `much\x1b`},
		"not a number":      {send([]byte(residentGauge + " NaN\n")), 0, "NaN"},
		"below zero":        {send([]byte(residentGauge + " -1\n")), 0, "-1"},
		"beyond all":        {send([]byte(residentGauge + " 1e300\n")), 0, "1e+300"},
		"cut off":           {send([]byte(residentGauge + " 2.55")), 0, "not the text format"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(t)
				s["/metrics"] = test.answer
				doc, err := Run(t.Context(), start(t, s))
				if err != nil {
					t.Fatal(err)
				}
				var got int64
				if doc.RSS != nil {
					got = *doc.RSS
				}
				if got != test.want || (doc.RSS != nil) != (test.says == "") {
					t.Errorf("resident: %d, want %d", got, test.want)
				}
				for _, m := range doc.Missing {
					if m.Type == "rss" {
						wantOneLine(t, m.Reason, "http://shop:6060/metrics", test.says)
						if m.Failed || test.says == "" {
							t.Errorf("%+v", m)
						}
						return
					}
				}
				if test.says != "" {
					t.Errorf("missing: %+v", doc.Missing)
				}
			})
		})
	}
}

// Whatever is served, there is a figure above zero, or an error of one line.
func FuzzResident(f *testing.F) {
	f.Add([]byte(residentGauge + " 2.5571328e+07\n"))
	f.Add([]byte("x 1\n" + residentGauge + `{a="b\n",} 0x1p20 -7` + "\n"))
	f.Add([]byte(residentGauge + "{} 1\r\n" + residentGauge + " 1"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		v, err := gauge(answer)
		if (err == nil) != (v > 0) || err != nil && strings.ContainsAny(err.Error(), "\n\r\x1b") {
			t.Fatalf("%d, %v", v, err)
		}
	})
}
