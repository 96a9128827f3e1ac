package heapwright

import (
	"bytes"
	"os/exec"
	"regexp"
	"testing"
)

// styleLimits are the lines that tools/style lists for each of its measures. A number may
// only fall: mend the lines that you add, or one of the others.
var styleLimits = map[string]int{
	"that of":    9,
	"tell":       8,
	"margin":     46,
	"participle": 11,
	"unkeyed":    8,
	"wide":       1132,
}

func TestStyle(t *testing.T) {
	list := exec.Command("go", "run", "./style", "-list", "..")
	list.Dir = "tools"
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	found := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\S+:\d+: ([a-z ]+):`).FindAllSubmatch(out, -1) {
		found[string(m[1])]++
	}
	for measure, limit := range styleLimits {
		switch n := found[measure]; {
		case n > limit:
			t.Errorf("%d lines of %q, more than %d: see go -C tools run ./style -list ..", n, measure, limit)
		case n < limit-limit/20: // a twentieth is room for changes that are made at the same time
			t.Errorf("%d lines of %q: lower the limit of %d", n, measure, limit)
		}
	}
}
