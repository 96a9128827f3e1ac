package finding

import (
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/source"
)

// FateWithin reports whether a cause's objects die before the function of a frame on its path
// returns. Only then can their memory be reused.
func FateWithin(e *evidence.Evidence, c *Cause, root evidence.Frame) flow.Fate {
	return fateOf(e, c, root, false)
}

// FateAtBest is Fate under the assumption that code which cannot be followed keeps nothing.
func FateAtBest(e *evidence.Evidence, c *Cause) flow.Fate { return fateOf(e, c, c.Site.Frame, true) }

func fateOf(e *evidence.Evidence, c *Cause, root evidence.Frame, trusting bool) flow.Fate {
	switch {
	case e.Source == nil || e.Source.Doubt(c.Site.File) != "":
		return flow.Fate{Kept: "no source is at hand that says so", Unknown: true}
	case c.Callee == "" && c.Expression.Kind == "":
		return flow.Fate{Kept: "the expression that makes them is not known", Unknown: true}
	}
	made := flow.Made{Place: source.Place(c.Site.Frame), Column: c.Expression.Column, Methods: strings.Contains(c.Callee, ")."), Trusting: trusting}
	if at := maker(e, c); at.Line != 0 {
		made.Line, made.Column, made.Methods = at.Line, at.Column, false
	}
	return e.Flow.Within(source.Place(root), made)
}

// Fate is FateWithin for the function of the site, which would take the objects from a pool.
func Fate(e *evidence.Evidence, c *Cause) flow.Fate { return FateWithin(e, c, c.Site.Frame) }

// Because returns a verdict with a fate as its reason. If no keeper is known, it says that the
// verdict is open.
func Because(verdict, open string, f flow.Fate) string {
	if f.Unknown {
		verdict = "It is not known whether " + open
	}
	return verdict + ": " + f.Kept + "."
}
