package main

import (
	"strings"
	"testing"
)

func TestSpeed(t *testing.T) {
	one := func(goVet, ours float64) (r round) {
		r[0].Cold, r[0].Cached = usage{goVet, 100 << 20}, usage{1, 50 << 20}
		r[1].Cold, r[1].Cached = usage{ours, 140 << 20}, usage{1.5, 50 << 20}
		return r
	}
	rounds := []round{one(10, 15), one(20, 36), one(10, 17)}
	middle, least, most := ratio(rounds, bars[0].of)
	if middle != 1.7 || least != 1.5 || most != 1.8 {
		t.Errorf("the ratios are %v, %v, %v; want 1.7, 1.5, 1.8", middle, least, most)
	}
	page := speed(module{name: "m@v1"}, rounds)
	for _, want := range []string{
		"3 rounds on m@v1",
		"| CPU, no vet result cached | 10.0 s | 17.0 s | 1.70 × | 1.50 – 1.80 | ≤ 2.0 × | yes |",
		"| memory, no vet result cached | 100.0 MiB | 140.0 MiB | 1.40 × | 1.40 – 1.40 | ≤ 1.5 × | yes |",
		"| CPU, all vet results cached | 1.0 s | 1.5 s | 1.50 × | 1.50 – 1.50 | ≤ 1.3 × | no |",
		"| 2 | 20.0, 36.0 | 100.0, 140.0 | 1.0, 1.5 | 50.0, 50.0 |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
