//go:build unix

package trust

import (
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

// maxAccounts is enough for a hundred thousand users or groups, in bytes.
const maxAccounts = 16 << 20

// alone reports whether a user is the only member of a group. The package os/user lists no
// members, so the two files are read: group names members, and passwd each user's own group.
// A group of a directory service, which is in neither file, may have any members.
func alone(group, passwd, name, gid string) bool {
	groups, err := input.ReadRegular(group, maxAccounts)
	if err != nil {
		return false
	}
	users, err := input.ReadRegular(passwd, maxAccounts)
	if err != nil {
		return false
	}
	found := false
	for line := range strings.Lines(string(groups)) { // name:password:gid:member,member
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) < 4 || f[2] != gid {
			continue
		}
		found = true
		for member := range strings.SplitSeq(f[3], ",") {
			if member = strings.TrimSpace(member); member != "" && member != name {
				return false
			}
		}
	}
	for line := range strings.Lines(string(users)) { // name:password:uid:gid:…
		if f := strings.Split(line, ":"); len(f) > 3 && f[3] == gid && f[0] != name {
			return false
		}
	}
	return found
}
