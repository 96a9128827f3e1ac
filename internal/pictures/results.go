package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

// table is a table of a page of results, with the heading above it.
type table struct {
	heading string
	columns []string
	rows    [][]string
}

// tables reads the tables of docs/results/NAME.
func tables(root, name string) ([]table, error) {
	text, err := input.ReadRegular(filepath.Join(root, "docs", "results", name), 1<<20)
	if err != nil {
		return nil, err
	}
	var all []table
	heading, inside := "", false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if h, ok := strings.CutPrefix(line, "## "); ok {
			heading = h
		}
		if !strings.HasPrefix(line, "|") {
			inside = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "*")
		}
		switch {
		case !inside:
			all, inside = append(all, table{heading: heading, columns: cells}), true
		case !strings.HasPrefix(cells[0], "---"):
			t := &all[len(all)-1]
			t.rows = append(t.rows, cells)
		}
	}
	return all, nil
}

// decoders returns a function that draws the CPU time of decoders, by the headings
// of a page of results.
func decoders(page, title, baseline string, contestants ...string) func(context.Context, string) (string, error) {
	return func(_ context.Context, root string) (string, error) {
		all, err := tables(root, page)
		if err != nil {
			return "", err
		}
		var works []ratios
		for _, t := range all {
			if len(t.columns) < 3 || t.columns[0] != "decoder" || t.columns[2] != "relative" {
				continue
			}
			r := ratios{t.heading, map[string]float64{}}
			for _, cells := range t.rows {
				if slices.Contains(contestants, cells[0]) {
					if r.of[cells[0]], err = strconv.ParseFloat(cells[2], 64); err != nil {
						return "", fmt.Errorf("%s, %s: %w", page, t.heading, err)
					}
				}
			}
			if len(r.of) > 0 { // a gRPC call has other rows
				works = append(works, r)
			}
		}
		return drawRatios(title, baseline, contestants, works), nil
	}
}

var share = regexp.MustCompile(`\(([0-9.]+)\)$`)

// migration draws the CPU time of this arena and of Go's at the same works.
func migration(_ context.Context, root string) (string, error) {
	all, err := tables(root, "arena.md")
	if err != nil {
		return "", err
	}
	columns := map[string]string{"arena": "package arena", "Go arena": "Go's arena", "sync.Pool": "sync.Pool"}
	var works []ratios
	for _, cells := range all[0].rows {
		r := ratios{strings.ReplaceAll(cells[0], "`", ""), map[string]float64{}}
		for i, column := range all[0].columns {
			m := share.FindStringSubmatch(cells[i])
			if columns[column] == "" || m == nil {
				continue
			}
			if r.of[columns[column]], err = strconv.ParseFloat(m[1], 64); err != nil {
				return "", fmt.Errorf("arena.md, %s: %w", cells[0], err)
			}
		}
		if len(r.of) > 1 && r.of["Go's arena"] > 0 {
			works = append(works, r)
		}
	}
	return drawRatios("CPU time of memory for one operation, "+all[0].heading, "the plain heap at GOGC=100",
		[]string{"package arena", "Go's arena", "sync.Pool"}, works), nil
}
