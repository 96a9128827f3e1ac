package suggest

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"server", "serve", "targets", "file-sd", "Load"}
	for text, want := range map[string]string{
		"serv": "serve", "servers": "server", "target": "targets", "tragets": "targets",
		"file_sd": "file-sd", "load": "Load", "xyz": "", "": "",
	} {
		if got := Nearest(text, known); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
