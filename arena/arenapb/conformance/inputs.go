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
	name    string
	flags   []string
	divisor int // slow builds decode one of this many messages
}

var builds = []build{
	{name: "plain", divisor: 1},
	{name: "`-gcflags=all=-d=checkptr`", flags: []string{"-gcflags=all=-d=checkptr"}, divisor: 16},
	{name: "`-race`", flags: []string{"-race"}, divisor: 40}, // no arena reuses memory
}

// An inputsResult counts the messages that both decoders accepted or refused alike.
type inputsResult struct {
	build                    string
	types, accepted, refused int
}

// perProcess is the largest number of messages that one process decodes.
const perProcess = 500_000

// inputCounts matches the line in which TestChangedMessages reports its counts.
var inputCounts = regexp.MustCompile(`\d+ inputs of (\d+) types: (\d+) accepted, (\d+) refused`)

// compareInputs decodes n changed messages with both decoders. It fails if they differ.
func compareInputs(ctx context.Context, b build, n int, seed uint64) (*inputsResult, error) {
	result := &inputsResult{build: b.name}
	for ; n > 0; n, seed = n-perProcess, seed+1 {
		args := append([]string{"test", "-vet=off", "-count=1", "-v", "-run=^TestChangedMessages$"}, b.flags...)
		args = append(args, "github.com/heapwright/heapwright/arena/arenapb/arenapbtest", fmt.Sprintf("-inputs=%d", min(n, perProcess)), fmt.Sprintf("-seed=%d", seed))
		out, err := command(ctx, "go", args...)
		if err != nil {
			return nil, err
		}
		counts := inputCounts.FindSubmatch(out)
		if counts == nil {
			return nil, fmt.Errorf("TestChangedMessages did not run: %s", bytes.TrimSpace(out))
		}
		// The conversions cannot fail, because the expression matches only digits.
		result.types, _ = strconv.Atoi(string(counts[1]))
		accepted, _ := strconv.Atoi(string(counts[2]))
		refused, _ := strconv.Atoi(string(counts[3]))
		result.accepted += accepted
		result.refused += refused
	}
	return result, nil
}
