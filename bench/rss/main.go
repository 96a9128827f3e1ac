// Rss compares the profile of resident memory that diagnose writes with the system's own
// account, on six services that hold 200 MiB in different ways. It prints
// docs/results/rss.md and needs Linux; the page cache also needs the right to make a memory
// cgroup.
//
//	go -C bench run ./rss > docs/results/rss.md
package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/resident"
)

// services are what holds the memory, and the part of the profile that should have it.
var services = []struct{ hold, part string }{
	{"heap", "Go/live heap"},
	{"gcoff", "Go/garbage"},
	{"stacks", "Go/stacks"},
	{"cgo", "outside Go/C and libraries"},
	{"mmap", "mapped files/data"},
	{"cache", "cgroup/page cache"},
}

const size = 200 << 20

func main() { program.Main(program.InScratch(run)) }

func run(ctx context.Context, dir string) error {
	tool, err := program.Heapwright(ctx, "", dir)
	if err != nil {
		return err
	}
	source, target, file := filepath.Join(dir, "source"), filepath.Join(dir, "target.exe"), filepath.Join(dir, "data")
	if err := data.Unpack("rss/target.txtar", source); err != nil {
		return err
	}
	if err := program.Outside(source).Build(ctx, target, "."); err != nil {
		return err
	}
	if err := os.WriteFile(file, bytes.Repeat([]byte{1}, size), 0o644); err != nil {
		return err
	}
	var rows strings.Builder
	rows.WriteString(page.Columns("holds 200 MiB in", "measured:", "parts together:", "difference:", "in its part:", "unexplained:"))
	for _, s := range services {
		row, err := ask(ctx, tool, target, file, filepath.Join(dir, s.hold), s.hold, s.part)
		if err != nil {
			row = page.Row(s.hold, fmt.Sprint("not measured: ", err), "", "", "", "")
		}
		rows.WriteString(row)
		fmt.Fprint(os.Stderr, row)
	}
	p := page.Page{File: "rss.md", Title: "Where the resident memory is", About: about}
	p.Sections = []page.Section{{Title: "Six services", Text: rows.String()}}
	_, err = fmt.Print(p.String("rss"))
	return err
}

//go:embed about.txt
var about string

// ask diagnoses one service and compares the parts with the system's account.
func ask(ctx context.Context, tool, target, file, out, hold, part string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	addr, err := program.FreeAddr()
	if err != nil {
		return "", err
	}

	// The page cache has no process, so it needs a memory cgroup, to which the kernel
	// charges it. There, the file is written before the service starts.
	args := []string{target, "-hold", hold, "-addr", addr, "-file", file}
	var group cgroup.Group
	inGroup := hold == "cache"
	if inGroup {
		if group, err = cgroup.New(1 << 30); err != nil {
			return "", err
		}
		defer group.Remove()
		os.Remove(file) // the pages are charged to whoever wrote the file
		write := []string{"sh", "-c", `head -c 209715200 /dev/zero > "$0"; exec "$@"`, file}
		args = program.InGroup(group.Procs(), append(write, args...)...)
	}
	cmd := program.In{}.Command(ctx, args...)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	if err := program.Listens(ctx, addr); err != nil {
		return "", err
	}

	// The live heap is known after a collection only, so -gc is needed for that part. In
	// the others, diagnose must not ask for one: garbage would be freed.
	gc := fmt.Sprintf("-gc=%t", hold == "heap")
	if err := (program.In{}).Run(ctx, tool, "diagnose", "-duration", "2s", gc, "-o", out, "http://"+addr); err != nil {
		return "", err
	}
	doc, err := program.ReadJSON[diagnose.Document](filepath.Join(out, "diagnosis.json"))
	if err != nil {
		return "", err
	}
	if doc.Resident == nil {
		return "", fmt.Errorf("the diagnosis has no resident memory")
	}

	// The system's account comes after the diagnosis, so that both see the same memory.
	measured := 0.0
	if inGroup {
		usage, ok := cgroup.UsageOf(cmd.Process.Pid)
		if !ok {
			return "", fmt.Errorf("the usage of the group cannot be read")
		}
		measured = float64(usage.Bytes)
	} else {
		m, err := resident.Of(cmd.Process.Pid)
		if err != nil {
			return "", err
		}
		measured = float64(m.Bytes)
	}
	sum, in, unexplained := 0.0, 0.0, 0.0
	for _, p := range doc.Resident.Parts {
		name := strings.Join(p.Path, "/")
		sum += p.Bytes
		if name == part {
			in += p.Bytes
		}
		if strings.Contains(name, "unexplained") {
			unexplained += math.Abs(p.Bytes)
		}
	}
	return page.Row(hold, format.Bytes(measured), format.Bytes(sum), fmt.Sprintf("%+.1f%%", 100*(sum/measured-1)),
		format.Bytes(in), format.Bytes(unexplained)), nil
}
