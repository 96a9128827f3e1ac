package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestEveryContestantDecodes(t *testing.T) {
	for _, s := range shapes(0) {
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

func TestRunWithMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	for _, shape := range []string{"One span", "Remote-write 1.0"} {
		t.Run(shape, func(t *testing.T) {
			var out bytes.Buffer
			if err := runWithMethods(t.Context(), t.TempDir(), []string{"-rounds=1", "-run-time=1ms", "-shape=" + shape}, &out); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"\n## " + shape + "\n", "\n| proto.Unmarshal | ", "\n| vtprotobuf | ", "\n| vtprotobuf, unsafe, pools | "} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in:\n%s", want, &out)
				}
			}
		})
	}
}
