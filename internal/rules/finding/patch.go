package finding

import (
	"time"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/source"
)

// patch returns the rule's change of a cause's line as a diff, "" where there is
// none that type-checks.
func (r *Rule) patch(e *evidence.Evidence, c *Cause) string {
	if c.Expression.Line == 0 || !e.Until.IsZero() && time.Now().After(e.Until) {
		return ""
	}
	p, err := edit.Open(e.Source, e.Source.Local(c.Site.Function, c.Site.File))
	if err != nil {
		return "" // without the package nothing can be checked
	}
	local := *c
	local.Expression.File = e.Source.Local(c.Site.Function, c.Site.File)
	edits := r.Edits(p, &local)
	if len(edits) == 0 || p.Check(edits) != nil {
		return ""
	}
	return p.Render(edits)
}

// Room gives a slice or map that a loop fills its final size.
func Room(p *edit.Package, c *Cause) []edit.Edit {
	a := c.Expression
	if a.Kind != source.Append && a.Kind != source.MapInsert {
		return nil
	}
	return p.Room(a.File, a.Line, a.Column)
}
