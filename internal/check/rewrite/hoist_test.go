package rewrite

import "testing"

func TestVariableNames(t *testing.T) {
	for function, want := range map[string]string{
		"match": "match", "Match": "match", "UGCPolicy": "ugcPolicy", "URL": "url", "ParseURL": "parseURL", "HTTP2Path": "http2Path", "Ünicode": "ünicode", "X": "x",
	} {
		if got := Unexported(function); got != want {
			t.Errorf("%s: %q, not %q", function, got, want)
		}
	}
}
