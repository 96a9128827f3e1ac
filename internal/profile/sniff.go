package profile

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/heapwright/heapwright/internal/termtext"
)

// sniff recognises files that people pass for a profile by mistake and names the
// remedy; it returns "" for anything else.
func sniff(raw []byte) string {
	if format := compression(raw); format != "" {
		return "it was compressed twice: inflated once, it is " + format + " again; inflate it once more"
	}
	head := bytes.TrimSpace(raw[:min(len(raw), 512)])
	for _, m := range mistakes {
		if bytes.HasPrefix(bytes.ToLower(head), []byte(m.prefix)) {
			return m.message
		}
	}
	if line, _, _ := bytes.Cut(head, []byte("\n")); len(line) > 3 && isText(head) {
		if behindHeader.Match(raw[:min(len(raw), 64<<10)]) {
			return fmt.Sprintf("a profile as text (?debug=1) stands behind a header, which begins with %q; fetch the profile without ?debug=1, and save the answer alone", termtext.Cut(string(line), 100))
		}
		return fmt.Sprintf("this is text, not a profile, and begins with %q; check the URL and how it was fetched",
			termtext.Cut(string(line), 100))
	}
	return ""
}

// behindHeader finds the first line of a text profile after other lines.
var behindHeader = regexp.MustCompile(
	`\n(heap profile: \d|goroutine profile: total |threadcreate profile: total |--- (mutex|contention):)`)

// isText reports whether bytes are text in UTF-8, of which the last character may be cut off.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 {
			return len(head) < utf8.UTFMax && !utf8.FullRune(head)
		}
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return false
		}
		head = head[n:]
	}
	return true
}

const text1 = "this is a profile as text; fetch it without ?debug=1"

var mistakes = []struct{ prefix, message string }{
	{"<!doctype", "this is an HTML page, not a profile; check the URL and the login"},
	{"<html", "this is an HTML page, not a profile; check the URL and the login"},
	{"{", "this is JSON, not a profile; check the file or the URL"},
	{"go 1.2", "this is an execution trace, not a profile; heapwright trace reads it"},
	{"\x7felf", "this is a program, not a profile; pass the profile alone"},
	{"heap profile:", text1},
	{"goroutine profile:", "this goroutine profile has no stacks; fetch it again"},
	{"threadcreate profile:", text1},
	{"goroutine ", "this goroutine dump has no stacks; fetch it again"},
	{"http/1", "this is an HTTP answer with its header; save the body alone, as curl does without -i"},
	{"--- mutex:", text1},
	{"--- contention:", text1},
	{"--- heapz", text1},
}
