package main

import (
	"embed"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/internal/sample"
)

// claim is a published claim.
type claim struct {
	Title   string
	source  string // address, or a description
	Says    string
	Remark  string   // differences here
	Cannot  string   // why it cannot be tested; "" where it can
	figures []figure // they have the published values
	beside  []figure // the same work with this project's means
}

const (
	cpu = sample.Primary
	rss = "peak-RSS-bytes"
)

//go:embed claims.txtar experiments.tsv
var files embed.FS

// claims are the claims of claims.txtar.
var claims = readClaims()

func readClaims() (all []claim) {
	for _, f := range data.Archive(files, "claims.txtar").Files {
		switch f.Name {
		case "claim":
			h := data.Header(f.Data)
			all = append(all, claim{Title: h["title"], source: h["source"], Says: h["says"], Remark: h["remark"], Cannot: h["cannot"]})
		case "figures.tsv":
			all[len(all)-1].figures = readFigures(f.Data)
		case "beside.tsv":
			all[len(all)-1].beside = readFigures(f.Data)
		}
	}
	return all
}

func readFigures(text []byte) (all []figure) {
	for _, row := range data.Table(text) {
		row = append(row, "")
		f := figure{what: row[0], from: strings.Fields(row[2]), benchmark: row[3], mode: row[4], metric: row[5], inverse: row[6] == "inverse"}
		f.of, _ = strings.CutPrefix(row[6], "of ")
		if f.inverse {
			f.of = ""
		}
		low, high, ranged := strings.Cut(row[1], " ")
		if f.low, f.high = ratio(low), ratio(low); ranged {
			f.high = ratio(high)
		}
		all = append(all, f)
	}
	return all
}

// ratio reads a number or a quotient; "" is 0.
func ratio(text string) float64 {
	if text == "" {
		return 0
	}
	above, below, quotient := strings.Cut(text, "/")
	v, err := strconv.ParseFloat(above, 64)
	if err == nil && quotient {
		var by float64
		by, err = strconv.ParseFloat(below, 64)
		v /= by
	}
	if err != nil {
		panic(err) // it is compiled in
	}
	return v
}
