package subprocess

import (
	"fmt"
	"regexp"
	"strings"
)

// remedies are the messages with a remedy; the first that fits counts. The messages are from
// cmd/go/internal/modload (init.go, load.go), cache (default.go), modfetch (cache.go) and
// gover.TooNewError of Go 1.26.
var remedies = []struct {
	message *regexp.Regexp
	remedy  string // has the text of the message's first parentheses
}{
	{regexp.MustCompile(`requires go >= ([^ ;]+) \(running go `),
		"Install Go %s or newer from https://go.dev/dl, or set GOTOOLCHAIN=auto: the go command then downloads it"},
	{regexp.MustCompile(
		`not one of the workspace modules listed in go\.work|does not contain modules listed in go\.work`),
		"Add its module to the workspace with go work use, or leave the workspace aside with GOWORK=off"},
	{regexp.MustCompile(`directory (\S+) outside (?:main module|modules listed in go\.work)`),
		"It is of another module: give -C %s, and packages relative to that folder"},
	{regexp.MustCompile(`build cache is required, but could not be located|failed to initialize build cache at|[/\\][0-9a-f]{64}-[ad]: (?:permission denied|read-only file system)`),
		"Set GOCACHE, or HOME, to a folder that can be written"},
	{regexp.MustCompile(`module cache not found: |could not create module cache: `),
		"Set GOMODCACHE, or HOME, to a folder that can be written"},
	{regexp.MustCompile(`does not contain main module|cannot find main module|go\.mod file not found`),
		"Name the folder of a module with -C, or make one with go mod init"},
}

// Remedy returns a line with the remedy for messages of the go command, in the words of a
// user of this program, to be added to the error that reports them. It returns "" for other
// messages.
func Remedy(messages string) string {
	for _, r := range remedies {
		m := r.message.FindStringSubmatch(messages)
		switch {
		case m == nil:
		case strings.Contains(r.remedy, "%s"):
			return "\n" + fmt.Sprintf(r.remedy, m[1])
		default:
			return "\n" + r.remedy
		}
	}
	return ""
}
