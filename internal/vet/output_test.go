package vet

import (
	"reflect"
	"testing"
)

const output = `# example.com/m/bad
vet: bad/bad.go:3:23: undefined: x
{}
{
	"example.com/m/p [example.com/m/p.test]": {
		"fmtconv": {
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
			{Package: pkg, Check: "fmtconv", Reason: "the check panicked"},
			{Package: "example.com/m/bad", Reason: "bad/bad.go:3:23: undefined: x"},
		},
		Notes: []string{`"./x/..." matched no packages`},
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("read\n%+v, want\n%+v", d, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(output)
	f.Add("{\n\"p\": {\"poolput\": null}\n}\n")
	f.Fuzz(func(t *testing.T, output string) {
		new(Document).read(output) // must not panic
	})
}
