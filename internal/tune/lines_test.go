package tune

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	paste, back := new(Document).lines("go1.27.4+nogreenteagc+floor=64MiB+GOGC=200")
	for place, want := range map[string]string{
		"go.mod":      "toolchain go1.27.4",
		"build":       "GOTOOLCHAIN=go1.27.4 GOEXPERIMENT=nogreenteagc go build",
		"environment": "export GOGC=200\n# nothing reads it without the import of gctune/auto: see Go, without a line of code\nexport HEAPWRIGHT_GCTUNE_MIN_HEAP=64MiB",
		"Dockerfile":  "# in the stage that builds\nENV GOTOOLCHAIN=go1.27.4 GOEXPERIMENT=nogreenteagc\n# in the stage that runs\nENV GOGC=200\n# nothing reads it",
		"Kubernetes":  "- name: GOGC\n          value: \"200\"",
		withoutCode:   "gctune/auto",
		"Go":          "gctune.Start(gctune.Options{MinHeap: 64 << 20})",
	} {
		if !strings.Contains(paste[place], want) {
			t.Errorf("%s: %q lacks %q", place, paste[place], want)
		}
	}
	for _, want := range []string{"unset GOGC", "call Stop", "build without GOEXPERIMENT=nogreenteagc", "go.mod"} {
		if !strings.Contains(back, want) {
			t.Errorf("rollback %q lacks %q", back, want)
		}
	}
	text := "package main\n" + strings.ReplaceAll(paste["Go"], "…", "")
	if _, err := parser.ParseFile(token.NewFileSet(), "", text, 0); err != nil {
		t.Errorf("the Go to paste: %v", err)
	}
	paste, back = new(Document).lines("nogreenteagc+arenas")
	if want := "GOEXPERIMENT=nogreenteagc,arenas"; paste["build"] != want+" go build ./..." || back != "build without "+want {
		t.Errorf("two experiments: %q, and back %q", paste["build"], back)
	}
	// A mode that is chosen by building alone has its lines, too.
	paste, _ = new(Document).lines("go1.27.4")
	if paste["Dockerfile"] != "# in the stage that builds\nENV GOTOOLCHAIN=go1.27.4" || paste["build"] != "GOTOOLCHAIN=go1.27.4 go build ./..." || paste["Kubernetes"] == "" {
		t.Errorf("a newer Go: %q", paste)
	}
}

// An upgrade is a command, for a library, too, and has its way back.
func TestLinesOfUpgrade(t *testing.T) {
	d := &Document{Library: true, Upgrades: []Upgrade{{Module: "example.com/lib", From: "v1.0.0", To: "v1.2.0+incompatible"}}}
	paste, back := d.lines(`dep="example.com/lib@v1.2.0+incompatible"+GOGC=200`)
	if want := "go get example.com/lib@v1.2.0+incompatible\ngo mod tidy"; paste["shell"] != want || len(paste) != 1 {
		t.Errorf("lines %q, want %q alone", paste, want)
	}
	if back != "go get example.com/lib@v1.0.0" {
		t.Errorf("back: %q", back)
	}
}
