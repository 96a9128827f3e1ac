package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// table shows medians, and their ratio to the heap at GOGC=100 and to the floor
// of the same work.
func table(results []*result) string {
	base := map[string]map[string]float64{"heap": {}, "floor": {}}
	for _, r := range results {
		if m := base[r.variant]; m != nil && r.gogc != "off" {
			m[r.work] = median(r.cpu)
		}
	}
	results = slices.Clone(results)
	slices.SortFunc(results, func(x, y *result) int {
		return cmp.Or(cmp.Compare(x.work, y.work), cmp.Compare(median(y.cpu), median(x.cpu)))
	})
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| work\t| variant\t| CPU per round\t| × heap\t| × floor\t|")
	fmt.Fprintln(w, "| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, r := range results {
		cpu := median(r.cpu)
		name := r.variant
		if r.gogc == "off" {
			name += ", GOGC=off"
		}
		fmt.Fprintf(w, "| %s\t| %s\t| %v\t| %s\t| %s\t|\n", r.work, name,
			time.Duration(cpu*1e9).Round(time.Nanosecond), ratio(cpu, base["heap"][r.work]), ratio(cpu, base["floor"][r.work]))
	}
	w.Flush()
	return b.String()
}

// ratio formats x/base, where there is a base.
func ratio(x, base float64) string {
	if base == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", x/base)
}
