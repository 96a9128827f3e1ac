package experiment

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

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
	phase   string            // of the stretch that is under way; "" is none
	before  look              // at its beginning
	last    look              // in it
	err     error             // the first
	noPeak  error
}

// look is what the process was accounted until a moment.
type look struct {
	probe.Account
	dump probe.Dump
}

// entry sums up the stretches of a phase.
type entry struct {
	probe.Account
	dump  *probe.Dump
	worst worstSecond
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
	now, err := l.look()
	switch {
	case err != nil && l.err == nil:
		l.err = err
	case err != nil:
	case begins:
		l.begin(phase, now)
	default:
		l.see(now)
		l.end()
	}
}

func (l *ledger) look() (now look, err error) {
	now.Account, err = l.process.Account()
	if l.dump != "" && err == nil {
		now.dump, err = probe.ReadDump(l.dump)
	}
	return now, err
}

func (l *ledger) begin(phase string, now look) {
	if l.entries[phase] == nil {
		l.entries[phase] = &entry{}
	}
	l.phase, l.before, l.last = phase, now, now
	l.entries[phase].worst.begin()
}

func (l *ledger) see(now look) {
	l.last = now
	if l.dump != "" && l.phase != "" {
		l.entries[l.phase].worst.add(time.Now(), now.dump)
	}
}

// end closes the stretch that is under way, if one is, with what was seen last.
func (l *ledger) end() {
	if l.phase == "" {
		return
	}
	e := l.entries[l.phase]
	e.CPU += l.last.CPU - l.before.CPU
	e.PageFaults += l.last.PageFaults - l.before.PageFaults
	e.PeakRSS = max(e.PeakRSS, l.last.PeakRSS)
	if l.dump != "" {
		part := l.last.dump.Since(l.before.dump)
		if e.dump != nil {
			part = e.dump.Plus(part)
		}
		e.dump = &part
	}
	l.phase = ""
}

// followEvery is how much of a server's account is lost where it ends by
// itself, and how far the seconds of worstSecond are apart.
const followEvery = 50 * time.Millisecond

// follow keeps looking at the process until the function that it returns is
// called: one that has ended cannot be asked any more, and what a dump tells is
// gone with the next.
func (l *ledger) follow() (stop func()) {
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(followEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-done:
				return
			}
			l.lock.Lock()
			if now, err := l.look(); err == nil {
				l.see(now)
			}
			l.lock.Unlock()
		}
	}()
	return func() {
		close(done)
		<-stopped
		l.lock.Lock()
		defer l.lock.Unlock()
		l.end()
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
	if l.dump != "" {
		f.Dump, f.Untimed = e.dump, e.worst.figures()
		if f.Untimed == nil {
			f.Missing[worstMetric] = "no stretch of a phase took a second"
		}
	}
	return f, nil
}
