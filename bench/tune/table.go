package main

import (
	"fmt"
	"os"
	"strings"
)

// row counts the answers for one program.
type row struct {
	program
	runs, right int
	wrong       map[string]int // by reason
}

func (r *row) add(why string) {
	r.runs++
	if why == "" {
		r.right++
		return
	}
	if r.wrong == nil {
		r.wrong = map[string]int{}
	}
	r.wrong[why]++
}

// head introduces the page. It takes the command's arguments.
const head = `# How often tune is right

This page is the output of one command:

    go -C bench run ./tune%s > docs/results/tune.md

It tunes five programs whose best answer is known, again and again. They are in bench/tune/programs.

`

// show prints the table and says whether a program was answered too badly.
func show(rows map[string]*row) (short bool) {
	fmt.Printf(head, strings.Join(append([]string{""}, os.Args[1:]...), " "))
	fmt.Println("| program | best answer | right | wrong because |")
	fmt.Println("| --- | --- | ---: | --- |")
	for _, p := range programs {
		r := rows[p.name]
		if r == nil || r.runs == 0 {
			continue
		}
		because := ""
		for why, n := range r.wrong {
			if because != "" {
				because += "; "
			}
			because += fmt.Sprintf("%s (%d×)", why, n)
		}
		fmt.Printf("| %s | %s | %d of %d | %s |\n", p.name, p.best, r.right, r.runs, because)
		short = short || float64(r.right) < enough*float64(r.runs)
	}
	return short
}
