package collect

import (
	"io"
	"time"

	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/profile"
)

// draw saves the flame graph of a profile as a page beside the profile. The page has no
// source, because the service runs elsewhere. A profile without samples gets no page.
func (c *collector) draw(of kind, p *profile.Profile, at time.Time) {
	tree, err := flame.New(p,
		flame.Options{Title: c.plan.Service + " " + of.name + ", " + at.UTC().Format("2 January 2006, 15:04:05 UTC")})
	if err != nil {
		return
	}
	// If saving fails, save notes that.
	_ = c.save(kind{name: of.name + "-flame", ext: ".html"}, File{Type: "flame", Taken: at},
		func(w io.Writer) error { return tree.WriteHTML(w) })
}
