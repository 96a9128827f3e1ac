// Style measures the English and the shape of Go code, in the measures that
// CONTRIBUTING.md sets limits for. It counts one row for each folder, so that a
// repository can be compared with others:
//
//	go -C tools run ./style ../ /path/to/another/repository
//
// With -list it prints the lines that count instead. Generated files, tests, testdata
// and vendored code do not count.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"text/tabwriter"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("style: ")
	list := flag.Bool("list", false, "print the lines that count instead of a table")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: style [-list] FOLDER...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if !*list {
		fmt.Fprintln(table, "folder\tfiles\tlines\tthat of\ttell\tmargin\tparticiples\tunkeyed\twide\tsentences")
	}
	for _, dir := range flag.Args() {
		c, err := measure(dir)
		if err != nil {
			log.Fatal(err)
		}
		if *list {
			for _, f := range c.findings {
				fmt.Println(f)
			}
			continue
		}
		name := dir
		if abs, err := filepath.Abs(dir); err == nil {
			name = filepath.Base(abs)
		}
		c.row(table, name)
	}
	table.Flush()
}

// row writes the measures in the order of the table's header.
func (c *counts) row(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%d\t%d\t", name, c.files, c.lines)
	fmt.Fprintf(w, "%.2f%%\t%.2f‰\t", share(c.thatOf, c.comments), 10*share(c.tell, c.words))
	fmt.Fprintf(w, "%.1f%%\t%d of %d\t%d\t", share(c.fragments, c.margins), c.participles, c.types, c.unkeyed)
	fmt.Fprintf(w, "%.2f%%\t%.1f%%\n", share(c.wide, c.lines), share(c.sentences, c.bodies))
}

func share(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
