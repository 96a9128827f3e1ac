package spawn

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestRequest(t *testing.T) {
	text := rapid.StringMatching(`[^\x00]*`)
	rapid.Check(t, func(t *rapid.T) {
		want := Request{
			Path: text.Draw(t, "path"), Dir: text.Draw(t, "dir"), Join: text.Draw(t, "join"), Alone: rapid.Bool().Draw(t, "alone"),
			Argv: rapid.SliceOf(text).Draw(t, "argv"), Env: rapid.SliceOf(text).Draw(t, "env"),
		}
		got, err := Decode(want.Encode())
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%v (-want +got)\n%s", err, diff)
		}
	})
	for _, bad := range []string{"", "/bin/true\x00\x00x", "/bin/true\x00\x00\x00false\x002\x00a"} {
		if r, err := Decode(bad); err == nil || !strings.Contains(err.Error(), "not a request") {
			t.Errorf("%q: %+v, %v", bad, r, err)
		}
	}
}
