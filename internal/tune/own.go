package tune

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
)

// mostlyOwn is the share of CPU from which on a program is said to be bound by
// its own work.
const mostlyOwn = 0.8

// ownWork names the function in which a program that is bound by its own work spends
// most CPU; "" for other programs. This tool does not make that work faster, but the
// user should know where to look.
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

// busiest returns the function that most CPU is spent in itself, and its share.
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
