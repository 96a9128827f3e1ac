// Package tool runs the checks as the tool of go vet -vettool.
//
// The stance: a check that fails loses its own reports and no others. The go
// command keeps a result until the source, the flags or the tool change, so the
// reports depend on nothing else.
package tool

import (
	"flag"
	"log"
	"log/slog"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/check"
)

// Is reports whether the go command has started this process as the tool of go vet
// -vettool. Its arguments are then one of two questions, or flags and the description of a
// package (golang.org/x/tools/go/analysis/unitchecker).
func Is(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if args[0] == "-V=full" || args[0] == "-flags" {
		return true
	}
	flags, last := args[:len(args)-1], args[len(args)-1]
	// A command comes first. Among the flags, a value may follow its flag.
	return strings.HasSuffix(last, ".cfg") && (len(flags) == 0 || strings.HasPrefix(flags[0], "-"))
}

// Main answers the go command and ends the process. It reads the arguments of
// the process itself, because unitchecker does.
func Main(args []string) {
	collectRarely()
	u, err := readUnit(args)
	costs := newProfiles(u)
	flag.StringVar(&costs.files, "profile", "", "report performance on lines that cost 1% or more in the profiles in these files (absolute paths, separated by commas)")
	flag.StringVar(&costs.hash, "profile-hash", "", "the hash of the profiles; without it, the error names the right one")
	flag.Bool("escape", false, "also report the findings of escape checks, before the compiler confirms them")
	flag.Bool("retained", false, "also report the findings of checks of retained memory")
	flag.Bool("prove", false, "used by heapwright vet -fix: type-check, and report nothing")
	flag.String("folder", "", "used by heapwright vet with -trimpath: results of other folders do not count")
	flag.String("dependencies", "",
		"used by heapwright vet: report on dependencies, too, except those of other modules")

	// All checks declare their flags, but only those in run get source to analyse.
	var run []*analysis.Analyzer
	guarded := map[*analysis.Analyzer]bool{}
	for _, c := range check.Checks {
		if c.Kind != check.Correctness {
			skip(c.Analyzer, has(args, "escape") || has(args, "profile")) // heapwright vet, which passes -escape, weighs reports itself
			costs.keepExpensive(c)
		}
		guard(c.Analyzer, guarded)
		if wants(args, c.Kind) {
			run = append(run, c.Analyzer)
		}
	}
	switch {
	case err != nil:
	case has(args, "prove"):
		run = nil
	case has(args, "dependencies"):
		err = u.reportAll()
	}
	if err != nil {
		log.Fatal(err)
	}
	unitchecker.Main(run...)
}

// minHeap is the heap below which the process collects nothing. Most packages end before,
// and those that do not are collected as ever, so the largest process stays as it is.
const minHeap = 96 << 20

// collectRarely sets the heap floor, unless the user has set GOGC. The go command starts a
// process for each package, whose small heap would be collected dozens of times.
func collectRarely() {
	if os.Getenv("GOGC") != "" {
		return
	}
	o := gctune.Options{MinHeap: minHeap, GOGC: 150, Limit: gctune.NoLimit, Logger: slog.New(slog.DiscardHandler)}
	if _, err := gctune.Start(o); err != nil {
		log.Fatal(err)
	}
}

// has reports whether a flag is among the arguments.
func has(args []string, name string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		flag, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		return flag == name && strings.HasPrefix(a, "-")
	})
}

// wants reports whether the checks of a kind run. Correctness checks always run. Checks of
// performance and retention run with -profile, with the name of such a check, and if the go
// command asks for the flags. -all adds performance, and -retained and -escape add their
// kinds. go vet alone never shows reports of escape checks, because they mean nothing until
// the compiler confirms them.
func wants(args []string, kind check.Kind) bool {
	if kind == check.Escape {
		return slices.Contains(args, "-escape") || slices.Contains(args, "-escape=true")
	}
	return kind == check.Correctness || slices.ContainsFunc(args, func(a string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		c := check.Find(name)
		switch name {
		case "profile", "flags", string(kind):
			return value != "false"
		case "all":
			return value != "false" && kind == check.Performance
		}
		return value != "false" && c != nil && c.Kind == kind
	})
}
