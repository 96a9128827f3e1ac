package probe

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/heapwright/heapwright/internal/mode"
)

// Binary returns the identity in a built file: the Go version, the build
// settings and its SHA-256. Of a file that is no Go program it returns the
// last together with the error.
func Binary(path string) (mode.Identity, error) {
	f, err := os.Open(path)
	if err != nil {
		return mode.Identity{}, fmt.Errorf("identify binary: %w; build it first", err)
	}
	defer f.Close()
	hash := sha256.New()
	functions := functionFinder{wanted: mode.EffectFunctions()}
	// Through a large buffer, since each part is searched once for each name.
	if _, err := io.CopyBuffer(io.MultiWriter(hash, &functions), struct{ io.Reader }{f},
		make([]byte, 1<<20)); err != nil {
		return mode.Identity{}, fmt.Errorf("identify binary %s: %w", path, err)
	}
	id := mode.Identity{BinarySHA256: hex.EncodeToString(hash.Sum(nil))}
	info, err := buildinfo.Read(f)
	if err != nil {
		return id, fmt.Errorf(
			"identify binary %s: %w; its mode cannot be proven: was it built by Go, with module support?", path, err)
	}
	id.Path = info.Path
	id.GoVersion, id.Experiments = mode.SplitVersion(info.GoVersion)
	id.Functions = functions.found
	id.Settings = make(map[string]string, len(info.Settings))
	for _, s := range info.Settings {
		id.Settings[s.Key] = s.Value
	}
	for _, d := range info.Deps {
		if id.Modules == nil {
			id.Modules = map[string]string{}
		}
		id.Modules[d.Path] = d.Version
		if d.Replace != nil {
			id.Modules[d.Path] = d.Replace.Version
		}
	}
	return id, nil
}
