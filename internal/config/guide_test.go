package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The guide names every key, in the row of its table.
func TestGuideNamesEveryKey(t *testing.T) {
	const guide = "../../docs/config.md"
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for row := range strings.Lines(string(text)) {
		if table, keys, ok := strings.Cut(strings.TrimPrefix(row, "| `"), "` | "); ok {
			rows[table] = keys
		}
	}
	for _, k := range Keys {
		table, name, _ := strings.Cut(k.Name, ".")
		if !strings.Contains(rows[table], "`"+name+"`") {
			t.Errorf("%s: the row of %s lacks %s", guide, table, name)
		}
	}
}

// The file that the guide shows is valid.
func TestGuideShowsAFileThatIsRead(t *testing.T) {
	text, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```toml\n")
	example, _, _ = strings.Cut(example, "```")
	file := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(file, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), file); err != nil {
		t.Error(err)
	}
}
