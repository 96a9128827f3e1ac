package collect

import (
	"encoding/json"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

// Build is the program that answered. A field is NotKnown where nothing has it.
type Build struct {
	GoVersion string `json:"go_version"`
	Path      string `json:"path"` // the path of the main package
	Module    string `json:"module"`
	Version   string `json:"version"` // the version of the module
	Revision  string `json:"revision"`
	Modified  string `json:"modified"` // "true" where the work tree had changes
	Binary    string `json:"binary"`
	BuildID   string `json:"build_id"`
}

// buildOf joins the build information in /debug/vars and in the profiles' first mapping,
// the main binary. A Go program knows its build information but serves it nowhere by
// itself: a service has to publish runtime/debug.BuildInfo with expvar, under whatever
// name.
func buildOf(vars []byte, p *profile.Profile) Build {
	b := Build{
		GoVersion: NotKnown, Path: NotKnown, Module: NotKnown, Version: NotKnown,
		Revision: NotKnown, Modified: NotKnown, Binary: NotKnown, BuildID: NotKnown,
	}
	set := func(field *string, value string) {
		if value != "" {
			*field = value
		}
	}
	if p != nil && len(p.Mappings) > 0 {
		m := p.Dict.Mapping(p.Mappings[0])
		set(&b.Binary, m.File)
		set(&b.BuildID, m.BuildID)
	}
	info := publishedBuild(vars)
	if info == nil {
		return b
	}
	set(&b.GoVersion, info.GoVersion)
	set(&b.Path, info.Path)
	set(&b.Module, info.Main.Path)
	set(&b.Version, info.Main.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			set(&b.Revision, s.Value)
		case "vcs.modified":
			set(&b.Modified, s.Value)
		}
	}
	return b
}

// publishedBuild finds a BuildInfo among published variables: as the object that
// encoding/json makes of it, or as the text of its String method.
func publishedBuild(vars []byte) *debug.BuildInfo {
	all, err := parseVars(vars)
	if err != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var text string
		if json.Unmarshal(all[name], &text) == nil {
			info, err := debug.ParseBuildInfo(text)
			if version, ok := strings.CutPrefix(text, "go\t"); ok && err == nil { // a line that it skips
				info.GoVersion, _, _ = strings.Cut(version, "\n")
				return info
			}
			continue
		}
		info := new(debug.BuildInfo)
		if json.Unmarshal(all[name], info) == nil && info.GoVersion != "" && (info.Path != "" || info.Main.Path != "") {
			return info
		}
	}
	return nil
}
