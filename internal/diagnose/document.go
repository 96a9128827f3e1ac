package diagnose

import (
	"time"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
)

// Schema is the version of Document. It changes when a field changes its meaning
// or goes; a new field does not change it.
const Schema = "heapwright.diagnosis/1"

// Document is a diagnosis as it is written; text and HTML are views of it.
type Document struct {
	Schema  string    `json:"schema"`
	Tool    string    `json:"tool"` // version of heapwright
	Made    time.Time `json:"made"`
	Command []string  `json:"command"` // as typed
	// Target is the program, for people: "./cmd/server"; "" for profiles alone.
	// Revision is the commit of its sources, with "-dirty" where they were changed; ""
	// where there is no repository.
	Target   string `json:"target,omitempty"`
	Revision string `json:"revision,omitempty"`
	// Root is the folder that the names of the program's own files are relative
	// to; "" where they are as the profiles have them. Files of other modules
	// are module@version/path, those of the standard library std/path.
	Root    string            `json:"root,omitempty"`
	Sources []evidence.Source `json:"sources"`
	Notes   []string          `json:"notes,omitempty"` // doubts about the evidence
	CPU     *Spending         `json:"cpu,omitempty"`   // nil without a CPU profile
	Memory  Holding           `json:"memory"`
	// Resident is nil where the resident memory or the runtime\'s figures are not known.
	Resident *Resident `json:"resident,omitempty"`
	// Goroutines counts them over the goroutine profiles; nil without one.
	Goroutines *evidence.GoroutineCount `json:"goroutines,omitempty"`
	Sites      []Place                  `json:"sites"`    // where allocating costs most
	Findings   []rules.Finding          `json:"findings"` // the highest ceiling first
	// Small are changes at lines that the findings do not name, or have no change for. They
	// are only there if lengths are measured.
	Small []rules.Finding `json:"small,omitempty"`
	// Recorded are the benchmarks of a target that were profiled. LeftOut are those
	// that did not fit into the budget, those that matter most first. Failed are those
	// that could not be profiled; the notes have the reasons.
	Recorded []sample.Key `json:"recorded,omitempty"`
	LeftOut  []sample.Key `json:"left_out,omitempty"`
	Failed   []sample.Key `json:"failed,omitempty"`
	// Production compares a target with the profiles of its production, by metric.
	Production []evidence.Likeness `json:"production,omitempty"`
	// Compiling is the time in seconds that compiling a target took, which does not
	// count against the budget.
	Compiling float64 `json:"compiling_seconds,omitempty"`
	// RunTime is the duration of a run in seconds, if the target is a command; else 0.
	RunTime float64 `json:"run_seconds,omitempty"`

	// Drawn are the profiles that flame graphs show: CPU time and the last heap,
	// as far as they are there. They share a dictionary.
	Drawn []*profile.Profile `json:"-"`
}

// Spending is where CPU time goes.
type Spending struct {
	Seconds float64 `json:"seconds"` // of CPU time sampled
	Samples float64 `json:"samples"`
	Classes []Share `json:"classes"`
	// Work is the runtime's in own code and other runtime, the largest first.
	Work    []Work         `json:"work,omitempty"`
	Idle    float64        `json:"idle_marking"` // part of GC mark: on processors that had nothing else to do
	Ceiling evidence.Range `json:"ceiling"`      // the saving if nothing at all were allocated
	// Collection is the part of it that collecting costs, assists and sweeping
	// included, as estimated from the samples. Accounted is the runtime's own
	// account, idle marking and write barriers left out; Measured is by a run
	// without collections. Both are nil where they are not known.
	Collection evidence.Range `json:"collection"`
	Accounted  *float64       `json:"collection_accounted,omitempty"`
	Measured   *Control       `json:"collection_measured,omitempty"`
}

// Work is what the runtime does for the program beside managing memory.
type Work struct {
	Name      string          `json:"name"`
	Share     float64         `json:"share"`
	Functions []string        `json:"functions"`
	Place     *evidence.Frame `json:"place,omitempty"` // the line of the program with most of it
}

// Share is a cost class's part of all CPU time.
type Share struct {
	Class string  `json:"class"`
	Share float64 `json:"share"`
}

// Holding is where memory goes.
type Holding struct {
	Live     *float64 `json:"live_bytes,omitempty"`
	Goal     *float64 `json:"heap_goal_bytes,omitempty"` // at which the next collection ends
	Rate     *float64 `json:"allocated_bytes_per_second,omitempty"`
	RSS      *float64 `json:"rss_bytes,omitempty"`
	PeakRSS  bool     `json:"rss_is_peak,omitempty"`
	Parts    []Part   `json:"parts"`
	Unknown  []string `json:"unknown,omitempty"`
	Profiles int      `json:"heap_profiles"` // snapshots
}

// Place is a site as it is written.
type Place struct {
	evidence.Frame
	Source   string           `json:"source,omitempty"` // the line's text
	Path     []evidence.Frame `json:"path"`
	Through  []string         `json:"through,omitempty"` // the functions below it that allocate most
	Alloc    evidence.Amount  `json:"alloc"`
	Share    float64          `json:"share_of_bytes"` // Alloc's part of all bytes allocated
	Live     evidence.Amount  `json:"live"`
	Rate     *float64         `json:"allocated_bytes_per_second,omitempty"`
	Survives *float64         `json:"survives,omitempty"` // share of the bytes allocated that live
	Growth   *evidence.Growth `json:"growth,omitempty"`
	Behaves  Behavior         `json:"behaves"`
	Why      string           `json:"why"`
	CPU      evidence.Range   `json:"cpu"`
	Memory   evidence.Range   `json:"memory"`
}

// maxPlaces is how many sites are written: beyond, each is a fraction of a
// per cent.
const maxPlaces = 50

// Unknown returns the diagnosis of a program that nothing could be found out about.
func Unknown(reason error) *Document {
	return newDocument(&evidence.Evidence{Notes: []string{reason.Error()}}, []evidence.Source{}, nil)
}

// newDocument writes down the evidence and the findings of the rules.
func newDocument(e *evidence.Evidence, sources []evidence.Source, findings []rules.Finding) *Document {
	d := &Document{Schema: Schema, Made: time.Now().UTC(), Sources: sources, Notes: e.Notes, Findings: findings,
		CPU: spendingOf(e), Memory: holdingOf(e), Resident: residentOf(e), Sites: []Place{}}
	if findings == nil {
		d.Findings = []rules.Finding{}
	}
	if e.Goroutines.Profiles > 0 {
		d.Goroutines = &e.Goroutines
	}
	if e.CPU != nil {
		d.Drawn = append(d.Drawn, e.CPU)
	}
	if n := len(e.Heaps); n > 0 {
		d.Drawn = append(d.Drawn, e.Heaps[n-1])
	}
	for i := range e.Sites {
		if len(d.Sites) == maxPlaces {
			break
		}
		d.Sites = append(d.Sites, placeOf(e, &e.Sites[i]))
	}
	return d
}

func spendingOf(e *evidence.Evidence) *Spending {
	c := &e.Costs
	if c.Samples == 0 {
		return nil
	}
	s := &Spending{Seconds: c.Seconds, Samples: c.Samples, Idle: c.Idle, Ceiling: c.Ceiling, Collection: c.Collecting,
		Accounted: pointer(e.Runtime.CollectorCPU)}
	for i, share := range c.Classes {
		if share > 0 {
			s.Classes = append(s.Classes, Share{cost.Class(i).String(), share})
		}
	}
	for _, w := range c.Work {
		if w.Share < worthNaming {
			break
		}
		work := Work{Name: w.Kind.String(), Share: w.Share, Functions: w.Functions}
		if len(w.Places) > 0 {
			at := w.Places[0].Frame
			work.Place = &at
		}
		s.Work = append(s.Work, work)
	}
	return s
}

// worthNaming is the share of CPU time from which on work is named.
const worthNaming = 0.05

func holdingOf(e *evidence.Evidence) Holding {
	h := Holding{Live: pointer(e.Live), Goal: pointer(e.Runtime.Goal), RSS: pointer(e.Runtime.RSS), PeakRSS: e.Runtime.PeakRSS,
		Rate: pointer(e.Rate), Profiles: len(e.Heaps)}
	if h.Parts, h.Unknown = partsOf(&e.Runtime, e.Live); h.Parts == nil {
		h.Parts = []Part{}
	}
	return h
}

func placeOf(e *evidence.Evidence, s *evidence.Site) Place {
	p := Place{Frame: s.Frame, Path: s.Path, Alloc: s.Alloc, Share: e.Share(s.Alloc), Live: s.Live, Growth: s.Growth, CPU: s.CPU, Memory: s.Memory}
	if e.Rate.OK {
		rate := s.Recent.Bytes / e.Window.Value
		p.Rate = &rate
	}
	p.Source, _ = e.Source.Line(s.File, s.Line)
	if share, ok := s.Survival(); ok {
		p.Survives = &share
	}
	p.Behaves, p.Why = behaviorOf(s, len(e.Heaps))
	for _, c := range s.Below[:min(len(s.Below), 3)] {
		p.Through = append(p.Through, c.Function)
	}
	return p
}

func pointer(k evidence.Known) *float64 {
	if !k.OK {
		return nil
	}
	return &k.Value
}
