package tune

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/rules"
)

// The newest version may need a newer Go than the module's. The newest one that does
// not is a candidate in its place. A go line of the same language is no newer Go.
func TestUpgradeWithinGo(t *testing.T) {
	proxy, dir := t.TempDir(), t.TempDir()
	for v, line := range map[string]string{"v1.0.0": "1.20", "v1.1.0": "1.25.0", "v1.2.0": "1.26", "v1.3.0": "1.999"} {
		text := fmt.Sprintf("-- go.mod --\nmodule example.com/words\n\ngo %s\n-- words.go --\npackage words\n", line)
		write(t, filepath.Join(proxy, "example.com_words_"+v+".txtar"), text)
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.org/app\n\ngo 1.25\n\nrequire example.com/words v1.0.0\n")
	write(t, filepath.Join(dir, "app.go"), "package app\n\nimport _ \"example.com/words\"\n")
	for name, value := range map[string]string{
		"GOPROXY": goproxytest.NewTestServer(t, proxy, "").URL, "GOSUMDB": "off", "GONOSUMDB": "*",
		"GOWORK": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-modcacherw", "GOMODCACHE": t.TempDir(),
	} {
		t.Setenv(name, value)
	}

	doc := &Document{Diagnosis: &diagnose.Document{Findings: []rules.Finding{{
		CPU:     evidence.Range{High: 0.5},
		Library: []rules.LibraryLine{{Module: "example.com/words", Version: "v1.0.0", Latest: "v1.3.0"}},
	}}}}
	all := Plan{Dir: dir}.upgrades(t.Context(), mode.NewMachine(dir), doc)
	if len(all) != 1 || all[0].mode != "dep=example.com/words@v1.1.0" {
		t.Errorf("candidates %+v, notes %q", all, doc.Notes)
	}
	notes := strings.Join(doc.Notes, "\n")
	if !strings.Contains(notes, "v1.3.0 was not tried: ") || !strings.Contains(notes, "v1.1.0 is the newest") {
		t.Errorf("notes: %q", doc.Notes)
	}
}
