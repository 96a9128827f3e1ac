package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// cell is a value in the memory of an arena.
type cell struct {
	Kind, Text string
	At         uint64
}

// reuse draws the memory of two requests that use the same pool one after the
// other. A pointer that the first request kept refers to a value of the second,
// of the same type.
func reuse(ctx context.Context, root string) (string, error) {
	out, err := subprocess.Output(ctx, root, "go", "run", "./workloads/reuse")
	if err != nil {
		return "", err
	}
	var r struct {
		First, Second []cell
		Kept          uint64
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return "", fmt.Errorf("workloads/reuse: %w", err)
	}
	stale := func(c cell) bool { return c.At == r.Kept }
	if !slices.ContainsFunc(r.Second, stale) {
		return "", fmt.Errorf("the second request has no value at the address %#x of the first", r.Kept)
	}

	// Values of a kind lie together, so the place of a value in its row is its distance
	// from the lowest address of the kind.
	lowest := map[string]uint64{}
	for _, c := range slices.Concat(r.First, r.Second) {
		if low, ok := lowest[c.Kind]; !ok || c.At < low {
			lowest[c.Kind] = c.At
		}
	}

	// The two requests are panels above each other with the same scale, so that the stale
	// pointer is at the same place in both.
	const left, size, slot = 200.0, 74.0, 16 // slot: bytes of a value
	const panel = 136.0
	d := &drawing{height: 2*panel + 110}
	d.text(20, 30, "title", "start", "Freed memory serves the next request, but only values of a compatible type")
	for i, request := range []struct {
		title, class string
		cells        []cell
	}{{"Request 1 allocates and keeps a pointer to 1.3", "first", r.First},
		{"After Free, request 2 allocates: the stale pointer refers to an order of request 2", "second", r.Second}} {
		y := 64 + float64(i)*(panel+14)
		d.text(20, y, "", "start", request.title)
		for j, kind := range slices.SortedFunc(maps.Keys(lowest), cmp.Compare) {
			y := y + 14 + 50*float64(j)
			d.text(20, y+24, "small", "start", kind)
			for _, c := range request.cells {
				if c.Kind != kind {
					continue
				}
				x := left + size*float64((c.At-lowest[kind])/slot)
				d.rect(x, y, size-6, 36, "box")
				d.text(x+size/2-3, y+23, request.class, "middle", c.Text)
				if stale(c) {
					d.rect(x-2, y+38, size-2, 4, "bad")
				}
			}
		}
	}
	d.rect(20, d.height-32, 30, 4, "bad")
	d.text(60, d.height-26, "small", "start",
		"the address that the pointer holds; each box is 16 bytes, at its offset in memory")
	return d.svg("The memory of two requests: a stale pointer refers to a value of its own type"), nil
}
