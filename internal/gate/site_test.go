package gate

import (
	"strings"
	"testing"
)

const diff = `diff --git a/x/a.go b/x/a.go
index 1..2 100644
--- a/x/a.go
+++ b/x/a.go
@@ -3,0 +4,2 @@ func f() {
+++ looks like a header
+@@ -1 +1 @@
@@ -10 +12 @@
-	old
+	new
@@ -20,2 +21,0 @@
-a
-b
\ No newline at end of file
`

func TestMoves(t *testing.T) {
	m, err := ReadMoves(strings.NewReader(diff))
	if err != nil {
		t.Fatal(err)
	}
	for was, want := range map[int]int{1: 1, 3: 3, 4: 6, 9: 11, 10: 12, 11: 13, 19: 21, 20: -20, 21: -21, 22: 22} {
		if got := m.now("x/a.go", was); got != want {
			t.Errorf("line %d is now %d, want %d", was, got, want)
		}
	}
	if got := m.now("x/b.go", 7); got != 7 {
		t.Errorf("line 7 of a file that did not change is now %d", got)
	}
	if _, err := ReadMoves(strings.NewReader("+++ b/x\n@@ -x +1 @@\n")); err == nil {
		t.Error("a damaged diff is read")
	}
}

func FuzzReadMoves(f *testing.F) {
	f.Add(diff, 7)
	f.Add("+++ b/x/a.go\n@@ -0,0 +1 @@\n+x", 1)
	f.Fuzz(func(t *testing.T, text string, line int) {
		m, err := ReadMoves(strings.NewReader(text))
		if err == nil {
			m.now("x/a.go", line)
		}
	})
}
