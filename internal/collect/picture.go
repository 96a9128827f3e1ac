package collect

import (
	"io"
	"time"

	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/profile"
)

// draw saves the flame graph of a profile of a kind as a page beside it. Source
// is not looked for: the service runs elsewhere. A profile without samples has
// no picture.
func (c *collector) draw(of kind, p *profile.Profile, at time.Time) {
	tree, err := flame.New(p,
		flame.Options{Title: c.plan.Service + " " + of.name + ", " + at.UTC().Format("2 January 2006, 15:04:05 UTC")})
	if err != nil {
		return
	}
	// A miss is noted by save.
	_ = c.save(kind{name: of.name + "-flame", ext: ".html"}, File{Type: "flame", Taken: at},
		func(w io.Writer) error { return tree.WriteHTML(w) })
}
