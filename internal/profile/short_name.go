package profile

import (
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/internal/sample"
)

// ShortName returns a function's name with its package's instead of the package's path,
// and without type arguments, as tracebacks have it: "yaml.(*Decoder).Decode",
// "lru.New[...]".
func ShortName(function string) string {
	head, tail, generic := strings.Cut(function, "[")
	if head == "" {
		return function // a binary, "[libc.so.6]"
	}
	pkg, name := head, ""
	slash := strings.LastIndexByte(head, '/') + 1
	if dot := strings.IndexByte(head[slash:], '.'); dot >= 0 {
		pkg, name = head[:slash+dot], head[slash+dot:]
	}
	if strings.HasPrefix(pkg, "gopkg.in/") && !strings.Contains(pkg, "%2e") { // not escaped
		name = unescapedVersion.ReplaceAllString(name, "$1")
	}
	name = sample.PackageName(unescape.Replace(pkg)) + name
	if generic {
		name += "[...]" + tail[strings.LastIndexByte(tail, ']')+1:]
	}
	return name
}

// unescapedVersion is the version in a path of gopkg.in, of which the rest was taken for
// all.
var unescapedVersion = regexp.MustCompile(`^\.v[0-9]+(\.|$)`)
