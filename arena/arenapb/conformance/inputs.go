package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"
)

// A build is a way to build the tests of arenapb.
type build struct {
	name  string
	flags []string
	share int // one in so many inputs is for it
}

var builds = []build{
	{"plain", nil, 1},
	{"`-gcflags=all=-d=checkptr`", []string{"-gcflags=all=-d=checkptr"}, 16},
	{"`-race`", []string{"-race"}, 40}, // no arena reuses memory
}

// An inputsResult counts the inputs that both decoders agreed on.
type inputsResult struct {
	build                    string
	types, accepted, refused int
}

// piece is how many inputs one process decodes.
const piece = 500_000

// inputs decodes n changed messages with both decoders.
func inputs(ctx context.Context, b build, n int, seed uint64) (*inputsResult, error) {
	result := &inputsResult{build: b.name}
	for ; n > 0; n, seed = n-piece, seed+1 {
		args := append([]string{"test", "-count=1", "-v", "-run=^TestChangedMessages$"}, b.flags...)
		args = append(args, "github.com/heapwright/heapwright/arena/arenapb/arenapbtest", fmt.Sprintf("-inputs=%d", min(n, piece)), fmt.Sprintf("-seed=%d", seed))
		out, err := command(ctx, "go", args...)
		if err != nil {
			return nil, err
		}
		m := regexp.MustCompile(`\d+ inputs of (\d+) types: (\d+) accepted, (\d+) refused`).FindSubmatch(out)
		if m == nil {
			return nil, fmt.Errorf("TestChangedMessages did not run: %s", bytes.TrimSpace(out))
		}
		result.types, _ = strconv.Atoi(string(m[1])) // digits, all three
		accepted, _ := strconv.Atoi(string(m[2]))
		refused, _ := strconv.Atoi(string(m[3]))
		result.accepted += accepted
		result.refused += refused
	}
	return result, nil
}
