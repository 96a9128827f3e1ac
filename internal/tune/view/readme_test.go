package view

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/tune"
)

var update = flag.Bool("update", false, "write the output that the README shows")

// The README shows how the output of its first command begins. The document is
// one that the command left, without the parts that the text does not show.
func TestReadmeShowsRealOutput(t *testing.T) {
	data, err := os.ReadFile("testdata/readme.json")
	if err != nil {
		t.Fatal(err)
	}
	var d tune.Document
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := Text(&text, &d, ""); err != nil {
		t.Fatal(err)
	}
	const file, begin, end = "../../../README.md", "\n```text\n", "\n```\n"
	readme, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(strings.ReplaceAll(string(readme), "\r\n", "\n"), begin)
	shown, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s shows no output", file)
	}
	if want := excerpt(text.String()); shown != want && *update {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if shown != want {
		t.Errorf("%s shows\n%s\nand the command prints\n%s\nwrite it with: go test ./internal/tune/view -run Readme -update", file, shown, want)
	}
}

// excerpt returns the answer and the gains.
func excerpt(text string) string {
	answer, _, _ := strings.Cut(text, "\n\n")
	_, gains, _ := strings.Cut(text, "\nTO RUN WITH ")
	gains = "TO RUN WITH " + strings.Join(strings.SplitN(gains, "\n", 4)[:3], "\n")
	return answer + "\n\n" + gains
}
