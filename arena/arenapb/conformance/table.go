package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// tableTests is the package that decodes the table of tests.
const tableTests = "google.golang.org/protobuf/heapwright/decodetable"

// tableTags are the builds that the table is decoded with. The tests of MessageSets
// are in the table of the second.
var tableTags = []string{"upstream", "upstream,protolegacy"}

// A tableResult counts the decoded messages of the table.
type tableResult struct {
	tags           string
	valid, invalid int
}

// decodeTable decodes the test table of google.golang.org/protobuf/proto with arenapb.
// It runs the tests in the folder decodetable, with the files of the table laid over
// it: they are in the module cache.
func decodeTable(ctx context.Context, dir, tags string) (*tableResult, error) {
	type pkg struct {
		Dir          string
		XTestGoFiles []string
	}
	var upstream, ours pkg
	for path, p := range map[string]*pkg{"google.golang.org/protobuf/proto": &upstream, tableTests: &ours} {
		out, err := command(ctx, "go", "list", "-json=Dir,XTestGoFiles", "-tags="+tags, path)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(out, p); err != nil {
			return nil, fmt.Errorf("go list %s: %w", path, err)
		}
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for _, name := range upstream.XTestGoFiles {
		overlay["Replace"][filepath.Join(ours.Dir, name)] = filepath.Join(upstream.Dir, name)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	if len(overlay["Replace"]) == 0 {
		return nil, fmt.Errorf("%s has no tests", upstream.Dir)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, err
	}
	out, err := command(ctx, "go", "test", "-vet=off", "-count=1", "-v", "-tags="+tags, "-overlay="+file, "-run=^TestArenapb", tableTests)
	if err != nil {
		return nil, err
	}
	result := &tableResult{tags: tags}
	for test, n := range map[string]*int{"TestArenapbValidMessages": &result.valid, "TestArenapbInvalidMessages": &result.invalid} {
		m := regexp.MustCompile(test + `: decoded (\d+) messages`).FindSubmatch(out)
		if m == nil {
			return nil, fmt.Errorf("%s did not run: %s", test, bytes.TrimSpace(out))
		}
		*n, _ = strconv.Atoi(string(m[1])) // digits
	}
	return result, nil
}

// command returns the output of a command.
func command(ctx context.Context, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", c, err, bytes.TrimSpace(out))
	}
	return out, nil
}
