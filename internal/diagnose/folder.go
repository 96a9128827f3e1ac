package diagnose

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/input"
)

// addFolder reads all profiles in a folder, and /debug/vars if it was saved.
// It ignores other files, such as pictures and logs.
func (in *inputs) addFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if err := oneService(dir, entries); err != nil {
		return err
	}
	var files []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && evidence.IsProfileName(entry.Name()) {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	if err := in.addProfiles(dir, files); err != nil {
		return err
	}
	return in.addCollected(dir)
}

// addProfiles reads the profiles of a folder. A file that cannot be read is left out.
func (in *inputs) addProfiles(dir string, files []string) error {
	found := 0
	var first error
	for _, name := range files {
		if err := in.profiles.AddFile(name); err != nil {
			in.profiles.Note("left out: %v", err)
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
		return fmt.Errorf("%s: no profile in this folder; give one that heapwright collect wrote, or profiles by name",
			dir)
	}
	return nil
}

// collectedName matches the file names that collect gives to profiles, SERVICE-TYPE-TIME.
var collectedName = regexp.MustCompile(`^(.+)-(?:heap|allocs|cpu|goroutine|mutex|block)-[0-9]{8}T[0-9]{6}Z(?:-[0-9]+)?\.pb\.gz$`)

// oneService refuses a folder with profiles of several services, because a diagnosis is
// about one program.
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

// addCollected reads collect's document in a folder, if there is one. It does not check the
// schema. A document of another program with the same name has none of the fields.
func (in *inputs) addCollected(dir string) error {
	name := filepath.Join(dir, collect.DocumentFile)
	data, err := input.ReadRegular(name, 64<<20)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var doc collect.Document
	if err := json.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("%s: not what heapwright collect writes: %w", name, err)
	}
	in.addDocument(dir, &doc)
	return nil
}

// addDocument reads the process's figures from the last answer of /debug/vars that a
// folder's document names. It takes the resident memory, and the doubts about the
// profiles, from the document itself.
func (in *inputs) addDocument(dir string, doc *collect.Document) {
	for _, f := range doc.Files {
		if f.Type != "vars" || !filepath.IsLocal(f.Path) {
			continue
		}
		rt, err := readVars(filepath.Join(dir, f.Path))
		if err != nil {
			in.profiles.Note("left out: %v", err)
			continue
		}
		rt.Heaps, rt.Resident, rt.Fresh = in.runtime.Heaps, in.runtime.Resident, in.runtime.Fresh // an earlier collection has them
		in.runtime = rt
	}
	in.runtime.Heaps = append(in.runtime.Heaps, liveHeaps(doc)...)
	for _, m := range doc.Missing {
		if m.Failed { // the rest the service does not serve or record
			in.profiles.Note("%s was not collected: %s", m.Type, m.Reason)
		}
	}
	in.profiles.Notes = append(in.profiles.Notes, doc.Warnings...)
	if doc.GC != nil && doc.GC.Window != nil {
		w := doc.GC.Window
		in.runtime.Recent = recent(w.Cycles-w.Asked, w.Forced-w.Asked, w.AllocBytes)
		if w.CPUShare != nil {
			in.runtime.CollectorCPU = evidence.Known{Value: *w.CPUShare, OK: true}
		}
	}
	asked := 0
	for _, f := range doc.Files {
		if f.Asked() {
			asked++
		}
	}
	in.runtime.Fresh = in.runtime.Fresh || asked > 0
	if asked > 0 {
		in.profiles.Note("the service ran GC before %s, because it was asked to; -gc=false prevents that",
			format.Plural(asked, "heap profile"))
	}
	for _, r := range doc.Resident {
		at := evidence.Resident{Taken: r.Taken, Bytes: float64(r.Bytes), Go: evidence.Known{Value: float64(r.Go), OK: r.Go > 0}}
		at.Written = evidence.Known{Value: float64(r.Written), OK: r.Written > 0}
		if r.Memory != nil {
			at.Mappings, at.Group = r.Memory.Mappings, r.Group
		}
		in.runtime.Resident = append(in.runtime.Resident, at)
	}
	if doc.RSS != nil {
		in.runtime.RSS = evidence.Known{Value: float64(*doc.RSS), OK: true}
	}
}

// liveHeaps returns the exact sizes of the live heap that a collection has.
func liveHeaps(doc *collect.Document) (all []evidence.LiveHeap) {
	for _, f := range doc.Files {
		if f.Live > 0 {
			all = append(all, evidence.LiveHeap{Taken: f.Taken, Bytes: float64(f.Live)})
		}
	}
	return all
}
