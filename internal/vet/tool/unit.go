package tool

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/vet"
)

// unit is the part of the go command's description of a package that this tool needs.
// The description is in a temporary file.
type unit struct {
	ID, ImportPath, Dir string
	GoFiles             []string
	VetxOnly            bool // the package is only imported; nobody asked for reports
	file                string
	text                []byte
}

// readUnit reads the description that the last argument names, if it is one.
func readUnit(args []string) (*unit, error) {
	u := &unit{file: args[len(args)-1]}
	if !strings.HasSuffix(u.file, ".cfg") {
		return u, nil
	}
	var err error
	if u.text, err = source.ReadFile(u.file); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(u.text, u); err != nil {
		return nil, fmt.Errorf("%s: %w", u.file, err)
	}
	return u, nil
}

// reportAll asks for reports even if the package is only imported, and has the
// name say whether tests are part of it. internal/vet/named.go says why.
func (u *unit) reportAll() error {
	var all map[string]any
	if err := json.Unmarshal(u.text, &all); err != nil {
		return fmt.Errorf("%s: %w", u.file, err)
	}
	if vet.Own(u.ImportPath, u.Dir) {
		all["VetxOnly"] = false
	}
	if slices.ContainsFunc(u.GoFiles, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		all["ID"] = u.ID + vet.WithTests
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(u.file, text, 0o666)
}
