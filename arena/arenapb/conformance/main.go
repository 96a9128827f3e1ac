// Conformance compares arenapb with proto.Unmarshal: on the official conformance
// suite of protobuf, on the tests of package proto, and on random messages. It prints
// docs/results/arenapb-conformance.md.
//
//	go run ./arena/arenapb/conformance > docs/results/arenapb-conformance.md
//
// The suite's runner comes from npm and runs on linux/amd64. It needs a C compiler.
// Elsewhere the page says that the suite was not run. The exit status is 1 if the
// decoders differ.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
)

func main() {
	if name := os.Getenv(testeeVariable); name != "" {
		i := slices.IndexFunc(decoders, func(d decoder) bool { return d.name == name })
		if err := decoders[i].testee(os.Stdin, os.Stdout); err != nil {
			exit(err)
		}
		return
	}
	n := flag.Int("inputs", 4_000_000, "compare the decoders on `N` changed messages")
	seed := flag.Uint64("seed", 1, "seed of the changed messages")
	flag.Parse()
	p := &page{system: fmt.Sprintf("%s/%s, %s", runtime.GOOS, runtime.GOARCH, runtime.Version()), version: "of this build"}
	flag.Visit(func(f *flag.Flag) { p.args += fmt.Sprintf(" -%s=%s", f.Name, f.Value) })
	if err := p.fill(context.Background(), *n, *seed); err != nil {
		exit(err)
	}
	p.write(os.Stdout)
	if p.differs() {
		exit(errors.New("arenapb does not pass the tests that proto.Unmarshal passes"))
	}
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, "conformance:", err)
	os.Exit(1)
}

// fill runs everything.
func (p *page) fill(ctx context.Context, n int, seed uint64) error {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "google.golang.org/protobuf" {
				p.version = m.Version
			}
		}
	}
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r, err := newRunner(ctx, dir)
	if errors.Is(err, errNoRunner) {
		p.noSuites = err
	} else if err != nil {
		return err
	} else {
		for i, d := range decoders {
			s, err := r.suite(ctx, d, filepath.Join(dir, fmt.Sprint(i)))
			if err != nil {
				return err
			}
			p.suites = append(p.suites, s)
		}
	}
	for _, tags := range tableTags {
		t, err := decodeTable(ctx, dir, tags)
		if err != nil {
			return err
		}
		p.tables = append(p.tables, t)
	}
	if p.jsonTest, err = decodeJSONTable(ctx, dir); err != nil {
		return err
	}
	for _, b := range builds {
		if n/b.divisor == 0 {
			continue
		}
		result, err := compareInputs(ctx, b, n/b.divisor, seed)
		if err != nil {
			return err
		}
		p.inputs = append(p.inputs, result)
		seed += 1000 // the messages differ from the build before
	}
	return nil
}
