package page

import (
	"testing"
	"time"
)

// Functions of templates take numbers of any type, and a duration is in seconds.
func TestFill(t *testing.T) {
	figures := map[string]any{"Bytes": int64(3 << 20), "N": 2, "Took": 3 * time.Second, "CPU": 1.5}
	for text, want := range map[string]string{
		"{{div .Bytes .N | bytes}}":            "1.50 MiB",
		"{{div .CPU .Took | printf \"%.2f\"}}": "0.50",
		"{{seconds .Took}}, {{seconds .CPU}}":  "3 s, 1.50 s",
		"{{percent .N 8 | printf \"%.0f%%\"}}": "25%",
		"{{count 30812}}":                      "30.8k",
	} {
		if got := Fill(text, figures); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a template of figures that are not there passes")
		}
	}()
	Fill("{{.Nothing}}", struct{}{})
}
