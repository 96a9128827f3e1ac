package heapwright

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// fileWriters are the files, or folders, whose code makes folders and files itself. All
// other code leaves that to internal/result, which follows no link that came with
// somebody else's repository.
var fileWriters = map[string]string{
	"internal/result":                   "the output folder",
	"internal/experiment/store.go":      "results.txt in the output folder, which is appended to; openResults follows no link",
	"internal/experiment/resume.go":     "cuts results.txt of the output folder off, after it has refused a link",
	"internal/experiment/cache.go":      "the user's cache",
	"internal/experiment/place.go":      "scratch folder",
	"internal/experiment/record.go":     "a folder below its caller's scratch folder",
	"internal/store/local.go":           "renames a damaged file of the store, which is its own, in the store's folder",
	"internal/store/queue.go":           "renames a damaged file of the queue, which is its own, in the store's folder",
	"internal/store/coarsen.go":         "renames a file of the store, which is its own, in the store's folder",
	"internal/target/copied.go":         "the user's cache",
	"internal/target/lay.go":            "copies of go.mod and go.sum in the user's cache",
	"internal/target/command.go":        "profiles in a scratch folder",
	"internal/overlay":                  "the user's cache, and scratch folders",
	"internal/process/account_linux.go": "/proc",
	"internal/process/spawn":            "/proc and the control group of a run",
	"internal/cgroup":                   "control groups",
	"internal/fix/tree.go":              "a copy of the module in a scratch folder",
	"internal/edit/tree.go":             "opens source files of the module, to learn whether they may be written",
	"internal/vet/tool/unit.go":         "files that go vet names",
	"internal/profile/corpus":           "benchmarks; its caller names the folder",
	"internal/pictures":                 "docs/images",
	"internal/profile/profiletest":      "tests",
	"internal/browsertest":              "tests",
	"internal/input/input.go":           "opens files to read them",
	"gctune/profiles.go":                "a library, whose caller names the folder",
}

// MkdirTemp and CreateTemp choose names that nobody can have planted.
var writesFiles = regexp.MustCompile(`\bos\.(Mkdir|MkdirAll|Create|OpenFile|WriteFile|Rename|Truncate|Symlink|Link|CopyFS)\(`)

func TestOutputIsWrittenByOnePackage(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t, layered) {
		found := writesFiles.FindString(s.text)
		if found == "" || s.isTest() {
			continue
		}
		entry := s.path
		for fileWriters[entry] == "" && entry != "." {
			entry = path.Dir(entry)
		}
		if entry == "." {
			t.Errorf("%s: %s: leave that to internal/result, or add the file to fileWriters with the reason", s.path, strings.TrimSuffix(found, "("))
		}
		used[entry] = true
	}
	for entry := range fileWriters {
		if !used[entry] {
			t.Errorf("fileWriters: %s writes no file", entry)
		}
	}
}
