package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key of 100,000 parts would take the decoder gigabytes.
func TestDeepKeysAreRefused(t *testing.T) {
	for _, text := range []string{"version = 1\n" + strings.Repeat("a.", 100_000) + "a = 1", "version = 1\n[" + strings.Repeat(`"a" . `, 500) + "a]", "version = 1\nload = {" + strings.Repeat("a.", 500) + "a = 1}"} {
		name := filepath.Join(t.TempDir(), "heapwright.toml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(t.Context(), name); err == nil || !strings.Contains(err.Error(), ":2: a key of 16 parts or more") {
			t.Errorf("%.30q…: %v", text, err)
		}
	}
}
