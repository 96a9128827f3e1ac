package tool

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/vet"
)

// reportAll changes the go command's description of a package, a temporary file:
// reports are wanted of packages that are only imported, too, and the name says
// whether tests are part of the package. The reason is in internal/vet/named.go.
func reportAll(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var unit struct {
		ID, ImportPath, Dir string
		GoFiles             []string
	}
	var all map[string]any
	if err := json.Unmarshal(text, &unit); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if vet.Own(unit.ImportPath, unit.Dir) {
		all["VetxOnly"] = false
	}
	if slices.ContainsFunc(unit.GoFiles, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		all["ID"] = unit.ID + vet.WithTests
	}
	if text, err = json.Marshal(all); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
