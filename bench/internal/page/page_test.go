package page

import (
	"strings"
	"testing"
)

const old = `# Title

This page is the output of one command:

    go -C bench run ./x > docs/results/x.md

Measured at commit aaaaaaa, on a quiet machine.
Measured at commit bbbbbbb: *Two of x*, *Three, of more*.

About.

## One

1

## Two

2

## Three, of more

3
`

func TestStitch(t *testing.T) {
	now := Mark{"ccccccc", "with `-only Two`"}
	p := &Page{Sections: []Section{{"Two", "two\n"}, {"Four", "four\n"}}}
	got, err := p.stitch(old, now)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("bbbbbbb: *Two of x*, *Three, of more*.", "bbbbbbb: *Three, of more*.\nMeasured at commit ccccccc, with `-only Two`: *Two*, *Four*.",
		"## Two\n\n2\n", "## Two\n\ntwo\n").Replace(old) + "\n## Four\n\nfour\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, err := p.stitch(got, now); err != nil || again != got {
		t.Errorf("the second time\n%s\n%v", again, err)
	}
	if _, err := p.stitch("# Title\n", now); err == nil {
		t.Error("a page without a commit is stitched")
	}
}

func TestMeasured(t *testing.T) {
	p := &Page{Marks: map[string]Mark{"a": {"2", ""}, "b": {"1", "busy"}, "c": {"1", "busy"}, "d": {"3", ""}}}
	want := "Measured at commit 1, busy.\nMeasured at commit 2: *a*.\nMeasured at commit 3: *d*.\n"
	if got := p.measured(); got != want {
		t.Errorf("got %q", got)
	}
	if got, err := (&Page{}).stitch(want+"\nAbout.\n", Mark{}); err != nil || got != want+"\nAbout.\n" {
		t.Errorf("nothing is measured: %q, %v", got, err)
	}
}

func TestColumns(t *testing.T) {
	if got := Columns("name", "n:") + Row("x", 1); got != "| name | n |\n| --- | ---: |\n| x | 1 |\n" {
		t.Errorf("%q", got)
	}
}
