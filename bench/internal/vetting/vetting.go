// Package vetting runs heapwright vet, and tests before and after its fixes.
package vetting

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/vet"
)

// Vet runs heapwright vet in a folder with an absolute path. Its exit codes 3 and 4 are answers.
func Vet(ctx context.Context, in program.In, tool string, args ...string) (*vet.Document, error) {
	all := append([]string{tool, "vet", "-config", "none", "-C", in.Dir, "-json"}, args...)
	return program.OutputJSON[*vet.Document](ctx, in, []int{3, 4}, all...)
}

var spaces = regexp.MustCompile(`_+`)

// Test runs go test with further arguments, the packages among them, and returns, by
// package and name, which tests passed.
func Test(ctx context.Context, in program.In, args ...string) map[string]bool {
	passed := map[string]bool{}
	cmd := in.Command(ctx, slices.Concat([]string{"go", "test", "-short", "-count=1", "-timeout=10m", "-json"}, args)...)
	cmd.Stderr = nil
	out, _ := cmd.Output() // failures are in it
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var event struct{ Action, Package, Test string }
		if dec.Decode(&event) != nil {
			return passed
		}
		if event.Action == "pass" || event.Action == "fail" || event.Action == "skip" {
			// Some names hold the text of a message, whose spaces change with the binary.
			passed[event.Package+" "+spaces.ReplaceAllString(event.Test, "_")] = event.Action != "fail"
		}
	}
}
