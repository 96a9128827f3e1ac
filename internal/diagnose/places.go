package diagnose

import (
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// Places returns the distinct source lines of a dictionary's frames.
func Places(d *profile.Dict) []source.Place {
	_, _, locations, _ := d.Sizes()
	seen := map[source.Place]bool{}
	var all []source.Place
	for id := 1; id < locations; id++ {
		for i := range d.Lines(profile.LocationID(id)) {
			l := d.Line(profile.LocationID(id), i)
			f := d.Function(l.Function)
			p := source.Place{Function: f.Name, File: f.File, Line: int(l.Line)}
			if !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}
