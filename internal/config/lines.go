package config

import (
	"regexp"
	"strings"
)

var (
	header     = regexp.MustCompile(`^\s*\[\[?\s*([^\]]+?)\s*\]`)
	assignment = regexp.MustCompile(`^\s*([\w."' -]+?)\s*=`)
)

// lines returns the line, from 1, of each key and table of a TOML text that
// decodes. The decoder reports no positions of keys, so this reads the lines
// that begin with a key or a table's header. A key within an inline table has
// the line of the table; text within a string of several lines can hide a key.
func lines(text string) map[string]int {
	at := map[string]int{}
	add := func(name string, line int) {
		name = strings.NewReplacer(" ", "", `"`, "", "'", "").Replace(name)
		if at[name] == 0 {
			at[name] = line
		}
	}
	table, number := "", 0
	for line := range strings.Lines(text) {
		number++
		if m := header.FindStringSubmatch(line); m != nil {
			table = m[1] + "."
			add(m[1], number)
		} else if m := assignment.FindStringSubmatch(line); m != nil {
			add(table+m[1], number)
			if first, _, dotted := strings.Cut(m[1], "."); dotted && table == "" {
				add(first, number)
			}
			if inline := strings.Index(line, "{"); inline >= 0 {
				for _, k := range regexp.MustCompile(`[{,]\s*([\w-]+)\s*=`).FindAllStringSubmatch(line[inline:], -1) {
					add(table+m[1]+"."+k[1], number)
				}
			}
		}
	}
	return at
}
