// Command makeprofiles makes the CPU profiles that internal/cost is tested with:
// one small program, built and run by every Go from 1.20 on, so that the names
// are those that each runtime really has.
//
//	go run ./internal/cost/testdata/makeprofiles -out internal/cost/testdata go1.20.14 go1.21.13 …
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed load.go.txt
var load string

func main() {
	log.SetFlags(0)
	log.SetPrefix("makeprofiles: ")
	out := flag.String("out", "", "directory for the profiles (must be given)")
	flag.Parse()
	if *out == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	for _, version := range flag.Args() {
		if err := run(*out, version); err != nil {
			log.Fatalf("%s: %v", version, err)
		}
	}
}

func run(out, version string) error {
	dir, err := os.MkdirTemp("", "makeprofiles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"go.mod": "module load\n\ngo 1.20\n", "main.go": load} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	bin := filepath.Join(dir, "load")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOTOOLCHAIN="+version, "GOWORK=off")
	if msg, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, msg)
	}
	cmd := exec.Command(bin, filepath.Join(out, version+".pb.gz"))
	// On Linux Go makes no system call when it reuses memory that it has returned to
	// the system: a page is mapped when it is touched, and a sample shows the code
	// that touches it. In this mode the runtime makes the call, as on Windows.
	cmd.Env = append(os.Environ(), "GODEBUG=harddecommit=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
