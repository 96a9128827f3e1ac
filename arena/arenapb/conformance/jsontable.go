package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// jsonTableTests is the package that runs the test of protojson.Unmarshal.
const jsonTableTests = "google.golang.org/protobuf/heapwright/jsontable"

// decodeJSONTable runs the test of protojson.Unmarshal with arenapb in its place and
// returns the number of its cases. The test is in the module cache.
func decodeJSONTable(ctx context.Context, dir string) (int, error) {
	folder := func(pkg string) (string, error) {
		out, err := command(ctx, "go", "list", "-f", "{{.Dir}}", "-tags=upstream", pkg)
		return string(bytes.TrimSpace(out)), err
	}
	upstream, err := folder("google.golang.org/protobuf/encoding/protojson")
	if err != nil {
		return 0, err
	}
	ours, err := folder(jsonTableTests)
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(filepath.Join(upstream, "decode_test.go"))
	if err != nil {
		return 0, err
	}
	call := []byte("tt.umo.Unmarshal([]byte(tt.inputText), tt.inputMessage)")
	if bytes.Count(text, call) != 1 {
		return 0, errors.New("the test of protojson.Unmarshal does not call it as expected")
	}
	changed := filepath.Join(dir, "decode_test.go")
	if err := os.WriteFile(changed, bytes.Replace(text, call, []byte("unmarshal(tt.umo, []byte(tt.inputText), tt.inputMessage)"), 1), 0o666); err != nil {
		return 0, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(ours, "decode_test.go"): changed}})
	if err != nil {
		return 0, err
	}
	file := filepath.Join(dir, "jsonoverlay.json")
	if err := os.WriteFile(file, overlay, 0o666); err != nil {
		return 0, err
	}
	out, err := command(ctx, "go", "test", "-vet=off", "-count=1", "-v", "-tags=upstream", "-overlay="+file, "-run=^TestUnmarshal$", jsonTableTests)
	if err != nil {
		return 0, err
	}
	n := len(regexp.MustCompile(`--- PASS: TestUnmarshal/`).FindAll(out, -1))
	if n < 100 {
		return 0, fmt.Errorf("the test of protojson.Unmarshal has %d cases, fewer than 100", n)
	}
	return n, nil
}
