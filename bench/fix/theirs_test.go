package main

import (
	"maps"
	"testing"
)

// A release that adds a file and removes another is handed in without either.
func TestMerge(t *testing.T) {
	before := map[string][]byte{
		"a.go":      []byte("package p\n\nimport \"fmt\"\n\nfunc A() { fmt.Print() }\n"),
		"b.go":      []byte("package p\n\nfunc B() {}\n"),
		"a_test.go": []byte("package p_test\n"),
	}
	after := map[string][]byte{
		"a.go":      []byte("package p\n\nimport \"fmt\"\n\nfunc A() { fmt.Print(C()) }\n"),
		"c.go":      []byte("// C is new.\npackage p\n\nimport (\n\t\"fmt\"\n\tx \"strings\"\n)\n\nfunc C() string { return fmt.Sprint(x.ToUpper(\"\")) }\n"),
		"a_test.go": []byte("package p_test\n"),
		"d_test.go": []byte("package p_test\n\nvar d int\n"),
	}
	if err := merge(before, after); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a.go": "package p\n\nimport x \"strings\"\n\n\nimport \"fmt\"\n\nfunc A() { fmt.Print(C()) }\n" +
			"\n\nfunc C() string { return fmt.Sprint(x.ToUpper(\"\")) }\n",
		"b.go":      "package p\n",
		"a_test.go": "package p_test\n",
	}
	if !maps.EqualFunc(after, want, func(a []byte, b string) bool { return string(a) == b }) {
		t.Errorf("%q", after)
	}
}
