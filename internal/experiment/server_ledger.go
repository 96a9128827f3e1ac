package experiment

import (
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/sample"
)

// ledger keeps a server's account for each phase of its load: at the borders
// it asks what the process was accounted so far and, in an untimed run, what
// the injected probe wrote last.
type ledger struct {
	process *probe.Running
	dump    string

	lock    sync.Mutex
	entries map[string]*entry // by phase
	before  probe.Account     // at the beginning of the stretch that is under way
	seen    probe.Dump
	err     error // the first
	noPeak  error
}

// entry sums up the stretches of a phase.
type entry struct {
	probe.Account
	dump *probe.Dump
}

func newLedger(p *probe.Running, dump string) *ledger {
	return &ledger{process: p, dump: dump, entries: map[string]*entry{}}
}

// border is a load.Border.
func (l *ledger) border(phase string, begins bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if begins {
		if err := l.process.ForgetPeak(); err != nil {
			l.noPeak = err
		}
	}
	now, err := l.process.Account()
	var seen probe.Dump
	if l.dump != "" && err == nil {
		seen, err = probe.ReadDump(l.dump)
	}
	if err != nil {
		if l.err == nil {
			l.err = err
		}
		return
	}
	if begins {
		l.before, l.seen = now, seen
		return
	}
	e := l.entries[phase]
	if e == nil {
		e = &entry{}
		l.entries[phase] = e
	}
	e.CPU += now.CPU - l.before.CPU
	e.PageFaults += now.PageFaults - l.before.PageFaults
	e.PeakRSS = max(e.PeakRSS, now.PeakRSS)
	if l.dump != "" {
		part := seen.Since(l.seen)
		if e.dump != nil {
			part = e.dump.Plus(part)
		}
		e.dump = &part
	}
}

// figures joins what the load saw of a phase with the account. A request costs
// what the process was accounted while the phase lasted, over the answers that
// it gave meanwhile.
func (l *ledger) figures(p load.Phase) (Figures, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	f := Figures{Part: p.Name, Iterations: p.Answered}
	switch {
	case p.Sent == 0 || p.Answered == 0:
		return f, fmt.Errorf("no request was answered in the phase %s, of %d that were due; give another -rate or a longer -duration", p.Name, p.Sent)
	case p.Errors == p.Sent:
		return f, fmt.Errorf("every request failed in the phase %s, the first with %s", p.Name, p.FirstError)
	}
	f.Values, f.Missing = p.Figures()
	for _, d := range p.Doubts() {
		f.Doubts = append(f.Doubts, Doubt(d))
	}
	if errors.Is(l.err, errors.ErrUnsupported) {
		maps.Copy(f.Missing, map[string]string{sample.Primary: l.err.Error(), "page-faults/op": l.err.Error(), sample.PeakRSS: l.err.Error()})
		return f, nil
	}
	if l.err != nil {
		return f, l.err
	}
	e, n := l.entries[p.Name], float64(p.Answered)
	f.Values[sample.Primary] = e.CPU.Seconds() / n
	f.Values["page-faults/op"] = float64(e.PageFaults) / n
	if l.noPeak == nil {
		f.Values[sample.PeakRSS] = float64(e.PeakRSS)
	} else {
		f.Missing[sample.PeakRSS] = l.noPeak.Error()
	}
	f.Dump = e.dump
	return f, nil
}
