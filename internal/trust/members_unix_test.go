//go:build unix

package trust

import (
	"os"
	"path/filepath"
	"testing"
)

// A group that has its owner's name may have other members.
func TestAlone(t *testing.T) {
	for _, test := range []struct {
		name, group, passwd string
		want                bool
	}{
		{"no member", "ann:x:1000:\n", "ann:x:1000:1000::/:/bin/sh\n", true},
		{"the user is listed", "ann:x:1000:ann", "", true},
		{"another member", "ann:x:1000:ann,bob\n", "ann:x:1000:1000::/:/bin/sh\n", false},
		{"another name of the group", "ann:x:1000:\nfriends:x:1000:bob\n", "", false},
		{"another user's own group", "ann:x:1000:\n", "ann:x:1000:1000::/:/bin/sh\nbob:x:1001:1000::/:/bin/sh\n", false},
		{"members of other groups", "ann:x:1000:\nbob:x:1001:eve\n", "bob:x:1001:1001::/:/bin/sh\n", true},
		{"not in the file", "bob:x:1001:\n", "", false},
	} {
		dir := t.TempDir()
		group, passwd := filepath.Join(dir, "group"), filepath.Join(dir, "passwd")
		for file, text := range map[string]string{group: test.group, passwd: test.passwd} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := alone(group, passwd, "ann", "1000"); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
	if alone("/nosuch", "/etc/passwd", "root", "0") || alone("/etc/group", "/nosuch", "root", "0") {
		t.Error("a file that cannot be read has no members")
	}
}
