package target

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// ledger accounts a server's resource use to the phases of its load. At the start
// and end of a phase it reads the process's resource use so far and, in an untimed
// run, the injected probe's last dump.
type ledger struct {
	process *process.Running
	dump    string

	lock    sync.Mutex
	entries map[string]*entry // phase → entry
	phase   string            // the phase of the current stretch; "" is none
	before  snapshot          // taken at the beginning of the stretch
	last    snapshot          // the last one in the stretch
	err     error             // the first
	noPeak  error
}

// snapshot is the resource use of the process up to a moment.
type snapshot struct {
	process.Account
	dump probe.Dump
}

// entry sums up the stretches of a phase.
type entry struct {
	process.Account
	dump  *probe.Dump
	worst worstSecond
}

func newLedger(p *process.Running, dump string) *ledger {
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
	now, err := l.snapshot()
	switch {
	case err != nil && l.err == nil:
		l.err = err
	case err != nil:
	case begins:
		l.begin(phase, now)
	default:
		l.record(now)
		l.end()
	}
}

func (l *ledger) snapshot() (now snapshot, err error) {
	now.Account, err = l.process.Account()
	if l.dump != "" && err == nil {
		now.dump, err = probe.ReadDump(l.dump)
	}
	return now, err
}

func (l *ledger) begin(phase string, now snapshot) {
	if l.entries[phase] == nil {
		l.entries[phase] = &entry{}
	}
	l.phase, l.before, l.last = phase, now, now
	l.entries[phase].worst.begin()
}

func (l *ledger) record(now snapshot) {
	l.last = now
	if l.dump != "" && l.phase != "" {
		l.entries[l.phase].worst.add(time.Now(), now.dump)
	}
}

// end closes the current stretch, if any, with the last snapshot.
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

// followEvery is the interval between snapshots. If a server ends by itself, the
// resource use since the last snapshot is lost. It is also the distance between
// the seconds of worstSecond.
const followEvery = 50 * time.Millisecond

// follow takes snapshots until the function that it returns is called. A process
// that has ended has no accounting any more, and each dump overwrites the last.
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
			if now, err := l.snapshot(); err == nil {
				l.record(now)
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

// figures joins the load's figures of a phase with the resource use of the server.
// The cost of a request is the resource use during the phase, divided by the
// number of answers.
func (l *ledger) figures(p load.Phase) (Figures, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	f := Figures{Part: p.Name, Iterations: p.Answered}
	switch {
	case p.Sent == 0 || p.Answered == 0:
		return f, fmt.Errorf("no request was answered in the phase %s, of %d that were due; give another rate or a longer duration with -load", p.Name, p.Sent)
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
