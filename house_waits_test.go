package heapwright

// The rules for what has one place: opening files, starting programs, writing JSON.

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// opensFiles are the files that open others without internal/input, by prefix, with the
// kind of these others. Anything else may be a pipe or a device that somebody has planted.
var opensFiles = map[string]string{
	"internal/input/":          "the package itself",
	"internal/cgroup/":         "files of the kernel",
	"internal/doctor/":         "files of the kernel",
	"internal/overlay/":        "files that the package wrote",
	"internal/machine/":        "files of the kernel",
	"internal/probe/":          "binaries that were built",
	"internal/process/":        "files of the kernel, and programs",
	"internal/resident/":       "files of the kernel",
	"internal/result/claim":    "a lock file, which it has found to be a regular file",
	"internal/source/exports":  "the go command's cache",
	"internal/check/deferloop": "an example in a text",
	"internal/check/retention": "an example in a text",
}

func TestFilesAreOpenedByInput(t *testing.T) {
	opens := regexp.MustCompile(`\bos\.(Open|ReadFile)\(`)
	ours := func(s source) bool {
		return s.syntax != nil && !s.isTest() && s.module == "." && strings.HasPrefix(s.path, "internal/")
	}
	for _, s := range sources(t, ours) {
		excused := slices.ContainsFunc(slices.Collect(maps.Keys(opensFiles)), func(prefix string) bool { return strings.HasPrefix(s.path, prefix) })
		if !excused && opens.MatchString(s.text) {
			t.Errorf("%s: open files with internal/input: what is found there may be a pipe that nobody writes to, or a device that never ends", s.path)
		}
		if s.path != "internal/subprocess/subprocess.go" && strings.Contains(s.text, "exec.CommandContext(") {
			t.Errorf("%s: start tools with internal/subprocess: their children can hold the pipes after the context has ended", s.path)
		}
		if s.path != "internal/termtext/json.go" && strings.Contains(s.text, ".SetIndent(") {
			t.Errorf("%s: write JSON for people with termtext.JSON: names in it may reorder lines", s.path)
		}
	}
}
