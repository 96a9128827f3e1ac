package flame

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/flame/flametest"
	"github.com/heapwright/heapwright/internal/profile"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestSVG(t *testing.T) {
	both := flametest.Decode(t, flametest.HeapLater(), flametest.Heap())
	cpu, err := profile.ReadFile("../cost/testdata/go1.27.4.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	for name, tree := range map[string]*Tree{
		"heap":     newTree(t, both[1], Options{Title: "heap", Type: "alloc_space"}),
		"diff":     newTree(t, both[0], Options{Title: "diff", Type: "alloc_space", Base: both[1]}),
		"inverted": newTree(t, both[1], Options{Title: "inverted", Type: "alloc_space", Inverted: true}),
		"cpu":      newTree(t, cpu, Options{Title: "cpu", Focus: nil}),
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tree.WriteSVG(&b); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".svg")
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s differs: run with -update, and look at it", file)
			}
		})
	}
}

func TestNarrowBoxesAreCounted(t *testing.T) {
	samples := []flametest.Sample{flametest.Stack("main.main > main.big", 1_000_000)}
	for i := range 500 {
		samples = append(samples, flametest.Stack("main.main > main.tiny"+strings.Repeat("y", i)+" > main.leaf", 20))
	}
	tree := newTree(t, flametest.Decode(t, flametest.New("n/count", samples...))[0], Options{})
	drawn, left := tree.boxes(tree.Weights(0), 0.001, svgDepth)
	if len(drawn) != 3 || len(left) != 1 || left[0].count != 1000 {
		t.Fatalf("%d boxes drawn, left %+v; want 3, and 1000 boxes in one run", len(drawn), left)
	}
	if sum := drawn[2].w + left[0].sum; sum < 0.9999 || sum > 1.0001 {
		t.Errorf("what is drawn and what is not add up to %v", sum)
	}
	var b bytes.Buffer
	if err := tree.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "1000 boxes narrower than 0.09% elided") {
		t.Error("the picture does not say what it leaves out")
	}
}

// An SVG without a script or a link cannot do anything.
func TestSVGIsStatic(t *testing.T) {
	var b bytes.Buffer
	if err := newTree(t, flametest.Decode(t, flametest.Heap())[0], Options{}).WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "href", "url(", "onload", "<foreignObject", "@import"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("the picture holds %s", bad)
		}
	}
	if !strings.Contains(b.String(), "prefers-color-scheme:dark") {
		t.Error("the picture has no dark scheme")
	}
}
