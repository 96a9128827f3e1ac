package termtext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, map[string]string{"a": "<b>&\u202e\u009b2J\u2066é", "c": "\U000e0001"}); err != nil {
		t.Fatal(err)
	}
	if want := "{\n \"a\": \"<b>&\\u202e\\u009b2J\\u2066é\",\n \"c\": \"\\udb40\\udc01\"\n}\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	if err := JSON(&b, func() {}); err == nil {
		t.Error("a function was written")
	}
}

// Any text comes back as it was, and the file has nothing that Harmless would replace.
func TestJSONOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var b bytes.Buffer
		if err := JSON(&b, text); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != text {
			t.Errorf("%q came back as %q, %v", text, back, err)
		}
		line := strings.TrimSuffix(b.String(), "\n")
		if shown := strings.Map(func(r rune) rune {
			if harmful(r) {
				return -1
			}
			return r
		}, line); shown != line {
			t.Errorf("%q has characters that command a terminal", line)
		}
	})
}
