package main

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
)

// row counts the answers for one program.
type row struct {
	*knownProgram
	runs, right int
	wrong       map[string]int // reason → count
}

func (r *row) add(why string) {
	r.runs++
	if why == "" {
		r.right++
		return
	}
	r.wrong[why]++
}

const about = "It tunes five programs whose best answer is known, again and again. They are in bench/tune/programs.txtar.\n\n"

// show prints the table and says whether a program was answered too badly.
func show(rows []*row) (short bool) {
	fmt.Print(page.Head("tune", "tune.md", "How often tune is right", about))
	fmt.Print(page.Columns("program", "best answer", "right:", "wrong because"))
	for _, r := range rows {
		if r.runs == 0 {
			continue
		}
		var because []string
		for why, n := range r.wrong {
			because = append(because, fmt.Sprintf("%s (%d×)", why, n))
		}
		right := fmt.Sprintf("%d of %d", r.right, r.runs)
		fmt.Print(page.Row(r.name, r.Best, right, strings.Join(because, "; ")))
		short = short || float64(r.right) < enough*float64(r.runs)
	}
	return short
}
