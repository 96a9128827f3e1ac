package cli

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every heapwright command in the guides names a command and flags that exist.
func TestGuidesShowCommandsThatExist(t *testing.T) {
	guides, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(guides) == 0 {
		t.Fatalf("no guides: %v", err)
	}
	flags := map[string]*flag.FlagSet{}
	eachCommand(func(name, _ string, fs *flag.FlagSet) { flags[name] = fs })
	spoken := regexp.MustCompile("(?m)(?:^|`|/|\\| )heapwright ([a-z]+)((?: [^`\n]*?)?)(?: -- .*)?(?:`|  +#.*|$)")
	option := regexp.MustCompile(` -([A-Za-z][a-z-]*)`)
	for _, guide := range append(guides, "../../README.md") {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range spoken.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\\\n", ""), -1) {
			fs := flags[m[1]]
			if fs == nil {
				t.Errorf("%s: %q: there is no command %s", guide, strings.TrimSpace(m[0]), m[1])
				continue
			}
			for _, o := range option.FindAllStringSubmatch(m[2], -1) {
				if o[1] != "h" && fs.Lookup(o[1]) == nil {
					t.Errorf("%s: %q: %s has no flag -%s", guide, strings.TrimSpace(m[0]), m[1], o[1])
				}
			}
		}
	}
}
