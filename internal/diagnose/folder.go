package diagnose

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	if err := oneService(dir, entries); err != nil {
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
	return in.addDocument(dir)
}

// collectedName is what heapwright collect calls a profile: SERVICE-TYPE-TIME.
var collectedName = regexp.MustCompile(`^(.+)-(?:heap|allocs|cpu|goroutine|mutex|block)-[0-9]{8}T[0-9]{6}Z(?:-[0-9]+)?\.pb\.gz$`)

// oneService refuses a folder that several services were collected into: their
// profiles are not of one program.
func oneService(dir string, entries []os.DirEntry) error {
	service := ""
	for _, entry := range entries {
		name := collectedName.FindStringSubmatch(entry.Name())
		switch {
		case name == nil || name[1] == service:
		case service == "":
			service = name[1]
		default:
			return fmt.Errorf("%s: profiles of several services, %s and %s; name those of one: %s",
				dir, service, name[1], filepath.Join(dir, service+"-*.pb.gz"))
		}
	}
	return nil
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
	RSS     *float64 `json:"rss_bytes"`
	Missing []struct {
		Type, Reason string
		Failed       bool
	}
	Warnings []string
}

// addDocument takes the process's figures from the last answer of /debug/vars
// that the folder's result.json names, what was resident from itself, and what
// puts the profiles in doubt.
func (in *inputs) addDocument(dir string) error {
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
	for _, m := range doc.Missing {
		if m.Failed { // the rest the service does not serve or record
			in.profiles.note("%s was not collected: %s", m.Type, m.Reason)
		}
	}
	in.profiles.Notes = append(in.profiles.Notes, doc.Warnings...)
	if doc.RSS != nil {
		in.runtime.RSS = Known{*doc.RSS, true}
	}
	return nil
}
