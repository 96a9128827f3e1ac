package diagnose

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// addFolder reads all profiles in a folder, and what is there of /debug/vars.
// Other files are passed over: a folder collects pictures and logs.
func (in *inputs) addFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := 0
	var first error
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		if !entry.Type().IsRegular() || !profileName(entry.Name()) {
			continue
		}
		if err := in.profiles.AddFile(name); err != nil {
			in.profiles.note("left out: %v", err)
			if first == nil {
				first = err
			}
			continue
		}
		found++
	}
	switch {
	case found == 0 && first != nil:
		return first
	case found == 0:
		return fmt.Errorf("%s: no profile in this folder; give one that heapwright collect wrote, or profiles by name", dir)
	}
	return in.addVars(dir)
}

// profileName says whether a file may be a profile, by what people and tools
// call them.
func profileName(name string) bool {
	name = strings.ToLower(name)
	for _, c := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, c)
	}
	switch filepath.Ext(name) {
	case ".pb", ".pprof", ".prof", ".out", ".profile":
		return true
	case "":
		return claimed(name) != ""
	}
	return false
}

// collected is what is read of the document that heapwright collect leaves in a
// folder.
type collected struct {
	Files []struct {
		Type, Path string
		Taken      time.Time
	}
	RSS *float64 `json:"rss_bytes"`
}

// addVars takes the process's figures from the last answer of /debug/vars that
// the folder's result.json names, and what was resident from itself.
func (in *inputs) addVars(dir string) error {
	name := filepath.Join(dir, "result.json")
	data, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var doc collected
	if err := json.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("%s: not what heapwright collect writes: %w", name, err)
	}
	for _, f := range doc.Files {
		if f.Type != "vars" || !filepath.IsLocal(f.Path) {
			continue
		}
		rt, err := ReadVars(filepath.Join(dir, f.Path))
		if err != nil {
			in.profiles.note("left out: %v", err)
			continue
		}
		in.runtime = rt
	}
	if doc.RSS != nil {
		in.runtime.RSS = Known{*doc.RSS, true}
	}
	return nil
}
