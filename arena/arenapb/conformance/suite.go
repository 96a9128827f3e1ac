package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// testeeVariable holds the name of the decoder in the environment of a process that
// is a testee.
const testeeVariable = "HEAPWRIGHT_TESTEE"

// A suiteResult is how the suite went with one decoder.
type suiteResult struct {
	decoder   string
	successes int
	skipped   int
	failures  []string // names of tests
}

// summary is the line that ends each of the two parts of the suite: the one for
// the binary format and JSON, and the one for the text format.
var summary = regexp.MustCompile(`CONFORMANCE SUITE (?:PASSED|FAILED): (\d+) successes, (\d+) skipped, (\d+) expected failures, (\d+) unexpected failures`)

// suite runs the suite with a decoder. Failures of its tests are no error.
func (r *runner) suite(ctx context.Context, d decoder, dir string) (*suiteResult, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}

	// The suite starts this program again as the testee, with the decoder in a variable.
	c := exec.CommandContext(ctx, r.file, "--enforce_recommended", "--maximum_edition", "2023", "--output_dir", dir+"/", self)
	c.Env = append(os.Environ(), "LD_PRELOAD="+r.shim, testeeVariable+"="+d.name)
	out, err := c.CombinedOutput()
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		return nil, fmt.Errorf("run the conformance suite: %w", err)
	}
	result := &suiteResult{decoder: d.name}
	parts := summary.FindAllSubmatch(out, -1)
	if len(parts) == 0 {
		return nil, fmt.Errorf("the conformance suite ended without a result (%v): %s", err, bytes.TrimSpace(out))
	}

	// The output has the counts and the files have the names of the tests that fail.
	unexpected := 0
	for _, part := range parts {
		n := [4]int{}
		for i := range n {
			n[i], _ = strconv.Atoi(string(part[i+1])) // digits
		}
		result.successes += n[0]
		result.skipped += n[1]
		unexpected += n[3]
	}
	lists, err := filepath.Glob(filepath.Join(dir, "*failing_tests.txt"))
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if name, _, _ := strings.Cut(line, "#"); strings.TrimSpace(name) != "" {
				result.failures = append(result.failures, strings.TrimSpace(name))
			}
		}
	}
	slices.Sort(result.failures)
	if len(result.failures) != unexpected {
		return nil, fmt.Errorf("the conformance suite counts %d failures and lists %d", unexpected, len(result.failures))
	}
	return result, nil
}

// same reports whether two decoders fail the same tests, and pass the same number.
func (s *suiteResult) same(want *suiteResult) bool {
	return s.successes == want.successes && s.skipped == want.skipped && slices.Equal(s.failures, want.failures)
}
