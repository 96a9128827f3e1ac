package process

import (
	"fmt"
	"os"
	"path/filepath"
)

// CheckStart returns an error if the system starts no program that is in a folder.
func CheckStart(dir string) error {
	if noexec(dir) {
		return fmt.Errorf("no program can be started in %s: its file system is mounted noexec; %s",
			dir, noexecRemedy(dir))
	}
	return nil
}

// noexecRemedy names the variable that chooses the folder that path is in.
func noexecRemedy(path string) string {
	cache, _ := os.UserCacheDir() // "" where there is none
	for _, chosen := range []struct{ dir, variable string }{{cache, "XDG_CACHE_HOME"}, {os.TempDir(), "TMPDIR"}} {
		if rel, err := filepath.Rel(chosen.dir, path); err == nil && filepath.IsLocal(rel) {
			return fmt.Sprintf("name another folder, as in %s=/another/folder", chosen.variable)
		}
	}
	return "copy the program to another"
}
