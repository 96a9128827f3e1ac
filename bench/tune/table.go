package main

import "fmt"

// row is what came of one program.
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

// show prints the table and says whether a program was answered too badly.
func show(rows map[string]*row) (short bool) {
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
