package flame

import (
	"github.com/heapwright/heapwright/internal/profile"
	"os"
	"testing"
)

func try(t *testing.T, out string, p *profile.Profile, o Options) {
	tr, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := os.Create("/tmp/flametry/" + out + ".svg")
	tr.WriteSVG(f)
	f.Close()
	f, _ = os.Create("/tmp/flametry/" + out + ".html")
	if err := tr.WriteHTML(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
}
func TestTry(t *testing.T) {
	d := profile.NewDecoder(profile.Options{Rebase: true})
	p, err := d.DecodeFile("/tmp/flamecorpus/heap-0-0003.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.DecodeFile("/tmp/flamecorpus/heap-0-0000.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	try(t, "a", p, Options{Type: "alloc_space", Source: Files("")})
	try(t, "d", p, Options{Type: "inuse_space", Base: b})
	p, _ = profile.ReadFile("../cost/testdata/go1.26.8.pb.gz")
	try(t, "b", p, Options{Source: Files("")})
}
func TestShots(t *testing.T) {
	for _, n := range []string{"a", "b", "d"} {
		page, _ := os.ReadFile("/tmp/flametry/" + n + ".html")
		for _, w := range []struct {
			n string
			window
		}{{"l", desktop}, {"d", window{1280, 900, true}}, {"m", window{390, 844, false}}} {
			b := openPage(t, string(page), w.window)
			b.screenshot("/tmp/flametry/" + n + w.n + ".png")
			b.quiet()
		}
	}
}
