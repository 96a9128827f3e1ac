package tune

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
)

// mostlyOwn is the smallest share of CPU for its own work at which we call a program
// bound by it.
const mostlyOwn = 0.8

// ownWork returns a sentence about a program that is bound by its own work, with the
// function that takes most CPU, or "" for other programs. This tool does not make that
// work faster, but the user should know where to look.
func ownWork(d *diagnose.Document) string {
	if d.CPU == nil || fewProfiled(d) {
		return ""
	}
	for _, c := range d.CPU.Classes {
		if c.Class != cost.Own.String() || c.Share < mostlyOwn {
			continue
		}
		text := format.Share(c.Share) + " of CPU is the program's own work, not memory's"
		if f, share := busiest(d.Drawn); share >= 0.1 {
			text += fmt.Sprintf("; %s of all CPU is spent in %s", format.Share(share), f)
		}
		return text
	}
	return ""
}

// busiest returns the function with the highest flat share of CPU, and that share.
func busiest(drawn []*profile.Profile) (string, float64) {
	for _, p := range drawn {
		cpu, ok := p.Column("cpu")
		if total := p.Total(cpu); ok && total > 0 {
			if top := p.Group(cpu); len(top) > 0 {
				return top[0].Name, float64(top[0].Flat) / float64(total)
			}
		}
	}
	return "", 0
}
