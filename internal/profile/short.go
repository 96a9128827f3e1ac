package profile

import (
	"regexp"
	"strings"
)

// ShortName returns a function's name without the folders of its package's path and
// without type arguments, as tracebacks have it: "yaml.(*Decoder).Decode", "lru.New[...]".
func ShortName(function string) string {
	head, tail, generic := strings.Cut(function, "[")
	if head == "" {
		return function // a binary, "[libc.so.6]"
	}
	head = versionOf.ReplaceAllString(head, "$1$2$3$4")
	head = unescape.Replace(head[strings.LastIndexByte(head, '/')+1:])
	if generic {
		return head + "[...]" + tail[strings.LastIndexByte(tail, ']')+1:]
	}
	return head
}

// versionOf is the version in the path of a package that is named by the element before
// it, with a dot of gopkg.in as the linker escapes it and as it is. A package v1 is
// named so: only from v2 on does a module's path have its version (go.dev/ref/mod).
var versionOf = regexp.MustCompile(`^(.+)/v(?:[2-9]|[1-9][0-9]+)(\..*)?$|^(gopkg\.in/.+?)(?:\.|%2e)v[0-9]+(\..*)?$`)
