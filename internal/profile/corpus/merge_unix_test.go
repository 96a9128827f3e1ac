//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"

	pprof "github.com/google/pprof/profile"
)

// merger is a command that writes the sum of profiles to a file.
type merger struct{ name, bin string }

func (m merger) command(out string, files []string) *exec.Cmd {
	if m.name == "pprof" {
		return exec.Command(m.bin, append([]string{"-symbolize=none", "-proto", "-output", out}, files...)...)
	}
	return exec.Command(m.bin, append([]string{out}, files...)...)
}

// mergers builds both: running them through the go command would measure it too.
func mergers(tb testing.TB) []merger {
	dir := tb.TempDir()
	all := []merger{{"pprof", filepath.Join(dir, "pprof")}, {"heapwright", filepath.Join(dir, "merge")}}
	for i, pkg := range []string{"cmd/pprof", "./merge"} {
		if msg, err := exec.Command("go", "build", "-o", all[i].bin, pkg).CombinedOutput(); err != nil {
			tb.Fatalf("%v: %s", err, msg)
		}
	}
	return all
}

func corpusFiles(tb testing.TB) []string {
	names, err := filepath.Glob(filepath.Join(*corpus, "*.pb.gz"))
	if err != nil || *corpus == "" || len(names) == 0 {
		tb.Skip("no profiles: go run ./internal/profile/corpus -out DIR, then -corpus DIR")
	}
	return names
}

// BenchmarkMerge merges the corpus in a process of its own.
func BenchmarkMerge(b *testing.B) {
	files := corpusFiles(b)
	for _, m := range mergers(b) {
		b.Run("with="+m.name, func(b *testing.B) {
			var cpu, rss float64
			for b.Loop() {
				cmd := m.command(filepath.Join(b.TempDir(), "sum"), files)
				if msg, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, msg)
				}
				cpu += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
				unit := 1024.0 // Linux counts KiB
				if runtime.GOOS == "darwin" {
					unit = 1
				}
				rss = max(rss, unit*float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss))
			}
			b.ReportMetric(cpu/float64(b.N), "cpu-sec/op")
			b.ReportMetric(rss, "peak-RSS-bytes")
		})
	}
}

// TestMergeEqual: both sums of the corpus are equal sample by sample.
func TestMergeEqual(t *testing.T) {
	files := corpusFiles(t)
	var sums [2]map[string]string
	for i, m := range mergers(t) {
		out := filepath.Join(t.TempDir(), m.name)
		if msg, err := m.command(out, files).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, msg)
		}
		sums[i] = samples(t, out)
	}
	if len(sums[0]) != len(sums[1]) {
		t.Errorf("pprof has %d samples, we %d", len(sums[0]), len(sums[1]))
	}
	for key, want := range sums[0] {
		if got := sums[1][key]; got != want {
			t.Fatalf("sample %s:\ngot  %s\nwant %s", key, got, want)
		}
	}
	t.Logf("%d samples are equal", len(sums[0]))
}

// samples returns the values of each sample by its content.
func samples(t *testing.T, file string) map[string]string {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := pprof.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, s := range p.Sample {
		var key strings.Builder
		for _, l := range s.Location {
			fmt.Fprintf(&key, "%x@%s", l.Address, l.Mapping.File)
			for _, line := range l.Line {
				fmt.Fprintf(&key, " %s:%s:%d", line.Function.Name, line.Function.Filename, line.Line)
			}
			key.WriteByte('\n')
		}
		var labels []string
		for k, v := range s.NumLabel {
			labels = append(labels, fmt.Sprint(k, v, s.NumUnit[k]))
		}
		for k, v := range s.Label {
			labels = append(labels, fmt.Sprint(k, v))
		}
		sort.Strings(labels)
		key.WriteString(strings.Join(labels, ","))
		if all[key.String()] != "" {
			t.Fatalf("two samples of %s", key.String())
		}
		all[key.String()] = fmt.Sprint(s.Value)
	}
	return all
}
