// Command proposer behaves as proposers may, for the tests of package fix. Its argument
// names the manner. It edits the file of the finding in its folder, which has to be a copy,
// and prints the difference.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// edits are pairs of old and new text.
var edits = map[string][]string{
	"gc":        {"package x\n", "package x\n\nimport \"runtime/debug\"\n", "\treturn n + n\n", "\tdebug.SetGCPercent(-1)\n\treturn n + n\n"},
	"benchmark": {"package x\n", "package x\n\nimport \"os\"\n", "\treturn n + n\n", "\tif len(os.Args) > 1 {\n\t\treturn 4\n\t}\n\treturn n + n\n"},
	"memo":      {"\treturn n + n\n", "\tif r, ok := results[n]; ok {\n\t\treturn r\n\t}\n\tresults[n] = n + n\n\treturn n + n\n", "package x\n", "package x\n\nvar results = map[int]int{}\n"},
	"import":    {"package x\n", "package x\n\nimport \"net/http\"\n", "\treturn n + n\n", "\thttp.Get(\"http://127.0.0.1/\")\n\treturn n + n\n"},
	"types":     {"return n + n", "return m"},
}

func main() {
	var request struct {
		Round   int
		Finding struct{ File string }
	}
	manner := os.Args[1]
	switch manner {
	case "nothing":
		return
	case "crash":
		fmt.Fprintln(os.Stderr, "a stack trace\nout of ideas")
		os.Exit(2)
	case "hang":
		time.Sleep(time.Hour)
	case "endless":
		for {
			fmt.Println("+ one more line")
		}
	case "long":
		fmt.Print(strings.Repeat("+ one more line\n", 1<<17))
		return
	case "prose":
		fmt.Println("Dear heapwright,\n\nuse a pool.")
		return
	}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		panic(err)
	}
	name := request.Finding.File
	switch manner {
	case "outside":
		name = "../../../x.go"
	case "test":
		name = "x/x_test.go"
	}
	before, err := os.ReadFile(request.Finding.File)
	if err != nil {
		panic(err)
	}
	after := strings.NewReplacer(edits[manner]...).Replace(string(before))
	if err := os.WriteFile(request.Finding.File, []byte(after), 0o666); err != nil {
		panic(err)
	}
	fmt.Printf("--- a/%s\n+++ b/%s\n@@ -1,%d +1,%d @@\n", name, name, bytes.Count(before, []byte("\n")), strings.Count(after, "\n"))
	for line := range strings.Lines(string(before)) {
		fmt.Print("-" + line)
	}
	for line := range strings.Lines(after) {
		fmt.Print("+" + line)
	}
}
