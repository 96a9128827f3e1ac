// Newgo asks heapwright whether two workloads should be built with the newest Go, and to
// which of its new defaults the answer is due. It prints docs/results/newgo.md.
//
//	go -C bench run ./newgo > docs/results/newgo.md
//	go -C bench run ./newgo -again > docs/results/newgo.md
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
)

//go:embed about.txt
var about string

// workloads are in folders of their names. In the arguments of heapwright, DIR is the folder of
// the requests that the second one makes for itself.
var workloads = []struct {
	name, about string
	args        []string
}{
	{"stdlibmix", "Benchmarks of packages of the standard library.", []string{"-C", "..", "./workloads/stdlibmix"}},
	{"otlpingest", "A receiver of OTLP in protobuf over HTTP, at 200 requests a second.", []string{
		"-C", receiver, "-main", ".",
		"-load", "requests=DIR/requests.json,ready=http://127.0.0.1:{port}/counts,rate=200,duration=2s,warmup=1s",
		"--", "-http", "127.0.0.1:{port}", "-grpc", "",
	}},
}

const receiver = "../workloads/otlpingest"

func main() {
	s := survey.Flags("../heapwright-out/newgo")
	budget := flag.Duration("budget", 10*time.Minute, "measure each workload for about `TIME`")
	program.Main(func(ctx context.Context) error {
		only, err := s.Begin(ctx)
		if err != nil {
			return err
		}
		p := page.Page{File: "newgo.md", Title: "Two workloads on the newest Go", About: about, Marks: map[string]page.Mark{}}
		for _, w := range workloads {
			if !only.MatchString(w.name) {
				continue
			}
			dir := filepath.Join(s.Out, w.name)
			kept := filepath.Join(dir, "kept.json")
			if !s.Again {
				args := append([]string{"-modes", "upgrade", "-budget", budget.String(), "-o", dir}, w.args...)
				if err := compare(ctx, s, args); err != nil {
					return fmt.Errorf("%s: %w", w.name, err)
				}
				if err := program.WriteJSON(kept, page.Now()); err != nil {
					return err
				}
			}
			if p.Marks[w.name], err = program.ReadJSON[page.Mark](kept); err != nil {
				return err
			}
			summary, err := os.ReadFile(filepath.Join(dir, "summary.md"))
			if err != nil {
				return err
			}
			p.Sections = append(p.Sections, page.Section{Title: w.name, Text: w.about + "\n\n" + string(summary)})
		}
		fmt.Print(p.String("newgo"))
		return nil
	})
}

func compare(ctx context.Context, s *survey.Survey, args []string) error {
	requests := filepath.Join(s.Out, "requests")
	if err := os.MkdirAll(requests, 0o777); err != nil {
		return err
	}
	if err := (program.In{Dir: receiver}).Run(ctx, "go", "run", ".", "-requests", requests); err != nil {
		return err
	}
	all := []string{s.Tool, "compare"}
	for _, arg := range args {
		all = append(all, strings.ReplaceAll(arg, "DIR", requests))
	}
	return (program.In{}).Run(ctx, all...)
}
