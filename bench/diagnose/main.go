// Diagnose measures the CPU time of a diagnosis, without that of the compiler. It
// writes a module of real Go source and a heap and a CPU profile of 25,000 stacks
// each through its functions. Then it has heapwright diagnose them, each time in
// a new process that is linked from the same packages as the command. The CPU
// time of that process is reported separately from that of the go command and
// the compilers that it starts.
//
//	go -C bench run ./diagnose
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/cli"
	"github.com/heapwright/heapwright/internal/diagnose"
)

// bar is the most CPU time that a diagnosis may take beyond the compiler's.
const bar = 2 * time.Second

// asHeapwright is the first argument of the process that is measured; the file
// for its figures is the second, heapwright's command line the rest.
const asHeapwright = "as-heapwright"

func main() {
	if len(os.Args) > 2 && os.Args[1] == asHeapwright {
		os.Exit(heapwright(os.Args[2], os.Args[3:]))
	}
	out := flag.String("o", "../heapwright-out/diagnose", "write module, profiles and diagnosis to `DIR`")
	runs := flag.Int("runs", 5, "take the median of `N`")
	flag.Parse()
	if err := run(*out, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "diagnose:", err)
		os.Exit(1)
	}
}

// spent is CPU time, user and system.
type spent struct {
	Self, Children time.Duration // of the process; of those it has waited for, and theirs
}

func heapwright(figures string, args []string) int {
	code := cli.Main(context.Background(), cli.Env{Stdout: os.Stdout, Stderr: os.Stderr}, args)
	s, err := cpuTime()
	if err == nil {
		var text []byte
		if text, err = json.Marshal(s); err == nil {
			err = os.WriteFile(figures, text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "diagnose:", err)
		return 1
	}
	return code
}

func run(out string, runs int) error {
	if runs < 1 {
		return fmt.Errorf("-runs %d: at least one is needed", runs)
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	module := filepath.Join(out, "module")
	s := newService(module)
	if err := s.write(); err != nil {
		return err
	}
	heap, cpu := s.profiles()
	if err := errors.Join(heap.write(filepath.Join(out, "heap.pb.gz")), cpu.write(filepath.Join(out, "cpu.pb.gz"))); err != nil {
		return err
	}
	args := []string{asHeapwright, filepath.Join(out, "spent.json"), "diagnose", "-C", module, "-o", filepath.Join(out, "diagnosis"),
		filepath.Join(out, "heap.pb.gz"), filepath.Join(out, "cpu.pb.gz")}
	if _, err := measure(args); err != nil { // warms the build cache
		return err
	}
	if err := looked(filepath.Join(out, "diagnosis", "diagnosis.json")); err != nil {
		return err
	}
	var self []time.Duration
	for i := range runs {
		s, err := measure(args)
		if err != nil {
			return err
		}
		self = append(self, s.Self)
		fmt.Printf("run %d: heapwright %.2f s CPU, the go command and the compilers %.2f s\n", i+1, s.Self.Seconds(), s.Children.Seconds())
	}
	slices.Sort(self)
	median := self[len(self)/2]
	fmt.Printf("median: heapwright %.2f s CPU; at most %.0f s\n", median.Seconds(), bar.Seconds())
	if median > bar {
		return fmt.Errorf("it took %.2f s of CPU time, more than %.0f s", median.Seconds(), bar.Seconds())
	}
	return nil
}

// measure runs heapwright once, from this program's own file.
func measure(args []string) (s spent, err error) {
	self, err := os.Executable()
	if err != nil {
		return s, err
	}
	cmd := exec.Command(self, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return s, fmt.Errorf("heapwright: %w", err)
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

// looked makes sure that the diagnosis has studied the source: its findings must
// have the compiler's reasons.
func looked(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var d diagnose.Document
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	reasons, rules := 0, map[string]bool{}
	for _, f := range d.Findings {
		rules[f.Rule] = true
		if f.Escape != "" {
			reasons++
		}
	}
	fmt.Printf("%d findings of %d rules, %d with the compiler's reason\n", len(d.Findings), len(rules), reasons)
	if reasons == 0 {
		return fmt.Errorf("%s: no finding has the compiler's reason: the source was not studied; its notes say why", name)
	}
	return nil
}
