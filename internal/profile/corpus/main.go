// Command corpus makes real heap profiles for benchmarks: it generates a program
// of 1,600 functions in 40 packages, builds it and runs it. The program allocates
// from 25,000 call paths and writes heap profiles with runtime/pprof repeatedly,
// from several processes, as a fleet does.
//
//	go run ./internal/profile/corpus -out /tmp/corpus
//	GOMAXPROCS=1 go test ./internal/profile/corpus -run '^$' -bench Decode -corpus /tmp/corpus
//	go test ./internal/profile/corpus -run MergeEqual -bench Merge -corpus /tmp/corpus
//
// A profile is about 1 MB raw and has up to 25,000 samples. The tests measure
// internal/profile beside github.com/google/pprof.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("corpus: ")
	out := flag.String("out", "", "directory for the profiles (must be given)")
	profiles := flag.Int("profiles", 200, "how many to write")
	processes := flag.Int("processes", 4, "from how many processes")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*out, *profiles, *processes); err != nil {
		log.Fatal(err)
	}
}

func run(out string, profiles, processes int) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := generate(dir); err != nil {
		return err
	}
	bin := filepath.Join(dir, "service")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if msg, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the generated program: %w\n%s", err, msg)
	}
	for i := range processes {
		n := profiles*(i+1)/processes - profiles*i/processes
		cmd := exec.Command(bin, out, fmt.Sprint(i), fmt.Sprint(n))
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("process %d: %w", i, err)
		}
	}
	return nil
}
