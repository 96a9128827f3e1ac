package profile

import "bytes"

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
	return ""
}

const text1 = "this is a profile as text; fetch it without ?debug=1"

var mistakes = []struct{ prefix, message string }{
	{"<!doctype", "this is an HTML page, not a profile; check the URL and the login"},
	{"<html", "this is an HTML page, not a profile; check the URL and the login"},
	{"{", "this is JSON, not a profile; check the file or the URL"},
	{"go 1.2", "this is an execution trace, not a profile; go tool trace reads it"},
	{"\x7felf", "this is a program, not a profile; pass the profile alone"},
	{"heap profile:", text1},
	{"goroutine profile:", text1},
	{"threadcreate profile:", text1},
	{"goroutine ", "these are stack traces as text; fetch them without ?debug=2"},
	{"--- mutex:", text1},
	{"--- contention:", text1},
	{"--- heapz", text1},
}
