package diagnose

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/lengths"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
)

// growing are the rules whose findings may be about something that grows from nothing.
var growing = map[string]bool{"append-without-room": true, "map-without-size": true, "request-buffer": true}

// lengthsPart is the share of the budget for counting lengths.
const lengthsPart = 0.25

// callers returns the frames around a finding's line that may have handed it a text to write to.
func callers(f *rules.Finding) []evidence.Frame {
	at := slices.IndexFunc(f.Path, func(c evidence.Frame) bool { return c.File == f.File && c.Line == f.Line })
	if at < 0 || at >= evidence.Outward {
		return nil
	}
	return f.Path[at+1 : min(len(f.Path), evidence.Outward)]
}

// lengths measures how long the things become that grow at the lines of findings without a
// patch, and adds patches that make them with room.
func (in *inputs) lengths(ctx context.Context, x *source.Index, findings []rules.Finding) error {
	p := lengths.Plan{
		Target: in.target, Dir: in.plan.Dir, Source: x, OutDir: filepath.Join(in.scratch, "lengths"),
		Budget: time.Duration(lengthsPart * float64(in.plan.Budget)), Among: in.recorded, Handler: in.plan.Handler,
	}
	if in.target.Facts().Parts != nil {
		p.Among = nil
	}
	var of []*rules.Finding
	add := func(f *rules.Finding) {
		if !growing[f.Rule] || f.Patch != "" || f.Line == 0 || f.OfTest() {
			return
		}
		file := x.Local(f.Function, f.File)
		if file == "" {
			return
		}
		p.Lines = append(p.Lines, lengths.Line{File: file, Line: f.Line, Of: len(of)})
		for _, caller := range callers(f) {
			if file := x.Local(caller.Function, caller.File); file != "" {
				p.Lines = append(p.Lines, lengths.Line{File: file, Line: caller.Line, Of: len(of), Caller: true})
			}
		}
		of = append(of, f)
	}
	for i := range findings {
		add(&findings[i])
		for j := range findings[i].Others {
			add(&findings[i].Others[j])
		}
	}
	if len(of) == 0 {
		return nil
	}
	changes, err := lengths.Run(ctx, p)
	for i, c := range changes {
		if f := of[i]; c.Patch != "" {
			f.Patch, f.Check = c.Patch, lengths.Check
			of := fmt.Sprintf("Make it with room: nine of ten have at most %d %s here. ", c.Room, c.Unit)
			f.Remedy = of + f.Remedy
		}
	}
	return err
}
