package escape

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens anew")

// The output of two compilers for one program: Go 1.26 names the function, and
// writes arrows, where 1.22 does not. Inlined values appear at their call, too.
func TestParse(t *testing.T) {
	for _, name := range []string{"go1.22", "go1.26"} {
		t.Run(name, func(t *testing.T) {
			printed, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			all, err := Parse(bytes.NewReader(printed))
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, e := range all {
				if !e.Stays {
					got.WriteString(e.Position.String() + " " + e.String() + "\n")
				}
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseOfAMovedVariable(t *testing.T) {
	const printed = `# ex.com/x
C:\x\main.go:3:2: n escapes to heap in main:
C:\x\main.go:3:2:   flow: p ← &n:
C:\x\main.go:3:2:     from &n (address-of) at C:\x\main.go:4:7
C:\x\main.go:3:2:   flow: {heap} ← p:
C:\x\main.go:3:2:     from keep = p (assign) at C:\x\main.go:5:7
C:\x\main.go:3:2: moved to heap: n
C:\x\main.go:9:20: parameter f leaks to {heap} for run with derefs=0:
C:\x\main.go:9:20:   flow: {heap} ← f:
C:\x\main.go:9:20:     from keep = f (assign) at C:\x\main.go:10:3
`
	all, err := Parse(strings.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 || all[0].String() != "moved to heap: n: stored by keep = p (line 5)" || all[0].File != `C:\x\main.go` {
		t.Errorf("got %+v", all)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"go1.22.txt", "go1.26.txt"} {
		printed, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(printed)
	}
	f.Add([]byte("a.go:1:2:     from x (y) at b:3:4\na.go:1:99999999999999999999: x escapes to heap in F:"))
	f.Fuzz(func(t *testing.T, printed []byte) {
		all, err := Parse(bytes.NewReader(printed))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range all {
			key := e.Position.String() + "\x00" + e.Function + "\x00" + e.What
			if e.File == "" || e.Line < 0 || e.Column < 0 || e.What != Short(e.What) {
				t.Errorf("%+v", e)
			}
			seen[key] = true
		}
		again, _ := Parse(bytes.NewReader(append(bytes.Clone(printed), append([]byte("\n"), printed...)...)))
		for _, e := range again {
			if !seen[e.Position.String()+"\x00"+e.Function+"\x00"+e.What] {
				t.Errorf("said twice, %+v is another value", e)
			}
		}
	})
}
