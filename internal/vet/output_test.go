package vet

import (
	"reflect"
	"strings"
	"testing"
)

const output = `# example.com/m/bad
vet: bad/bad.go:3:23: undefined: x
{}
{
	"example.com/m/p [example.com/m/p.test]": {
		"formatting": {
			"error": "the check panicked"
		},
		"poolput": [
			{
				"posn": "/m/p/p.go:15:9",
				"end": "/m/p/p.go:16:1",
				"message": "put twice"
			},
			{
				"posn": "/m/p/p.y:15",
				"end": "/m/p/p.y:15",
				"message": "put twice"
			}
		]
	}
}
go: downloading example.com/dep v1.0.0
go: warning: "./x/..." matched no packages
`

func TestRead(t *testing.T) {
	d := &Document{Dir: "/m"}
	if err := d.read(output); err != nil {
		t.Fatal(err)
	}
	const pkg = "example.com/m/p [example.com/m/p.test]"
	want := &Document{
		Dir: "/m",
		Reports: []Report{
			{Check: "poolput", Kind: "correctness", Package: pkg, Place: Place{"p/p.go", 15, 9, 16, 1}, Message: "put twice"},
			{Check: "poolput", Kind: "correctness", Package: pkg, Place: Place{"p/p.y", 15, 1, 15, 1}, Message: "put twice"},
		},
		Failures: []Failure{
			{Package: pkg, Check: "formatting", Reason: "the check panicked"},
			{Package: "example.com/m/bad", Reason: "bad/bad.go:3:23: undefined: x"},
		},
		Notes: []string{`"./x/..." matched no packages`},
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("read\n%+v, want\n%+v", d, want)
	}
}

// A go command that is newer than this program refuses each package, those of the
// standard library first.
func TestNewerGo(t *testing.T) {
	const messages = "# internal/abi\nheapwright: /go/src/internal/abi/abi.go:5:1: package requires newer Go version go1.27 (application built with go1.26)\n" +
		"# example.com/m/p\nheapwright: p/p.go:1:1: package requires newer Go version go1.27 (application built with go1.26)\n"
	err := tooNew(messages)
	if want := "the go command is of go1.27, and heapwright was built with go1.26: build heapwright with go1.27"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if err := tooNew("# example.com/m/bad\nbad/bad.go:3:23: undefined: x\n"); err != nil {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(output)
	f.Add("{\n\"p\": {\"poolput\": null}\n}\n")
	f.Fuzz(func(t *testing.T, output string) {
		new(Document).read(output) // must not panic
	})
}
