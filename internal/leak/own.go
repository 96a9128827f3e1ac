package leak

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/release"
)

// servers are the functions that serve one connection or one request: goroutines below
// them end with it.
var servers = []string{
	"net/http.(*conn).serve", "net/http.(*connReader).backgroundRead", "net/http.(*http2serverConn)",
	"golang.org/x/net/http2.(*serverConn)", "google.golang.org/grpc.(*Server)",
	"google.golang.org/grpc/internal/transport.(*http2Server)", "github.com/valyala/fasthttp.(*workerPool)",
	"net/rpc.(*Server)", "golang.org/x/crypto/ssh",
}

func serves(path []evidence.Frame) bool {
	return slices.ContainsFunc(path, func(f evidence.Frame) bool {
		return slices.ContainsFunc(servers, func(s string) bool { return strings.HasPrefix(f.Function, s) })
	})
}

// explain are the explanations by the reason that goroutines wait for. They return false
// where the goroutines do what they should.
var explain = map[evidence.Reason]func(*search, *evidence.WaitingPlace, *Leak) bool{
	evidence.Lock:       (*search).atLock,
	evidence.Connection: (*search).atConnection,
	evidence.WaitGroup:  (*search).atGroup,
	evidence.Cond:       (*search).atCond,
	evidence.Send:       (*search).atSend,
	evidence.Receive:    (*search).atReceive,
	evidence.Select:     (*search).atSelect,
	evidence.Forever:    (*search).atNothing,
	evidence.Sleep:      (*search).atSleep,
	evidence.Read:       (*search).atNetwork,
	evidence.Write:      (*search).atNetwork,
	evidence.Accept:     (*search).atNetwork,
	evidence.Response:   (*search).atResponse,
	evidence.SystemCall: (*search).atSystemCall,
}

// own explains goroutines that wait at a line of the program.
func (s *search) own(p *evidence.WaitingPlace) (Leak, bool) {
	l := Leak{Places: []*evidence.WaitingPlace{p}, At: p.Frame, Path: p.Path, Confidence: confidence(p)}
	l.Title = goroutines(p) + " wait here"
	l.Remedy = "Find out who should wake them, and give every goroutine an end."
	do := explain[p.Reason()]
	if r := p.Reason(); !s.direct(p) && slices.Contains([]evidence.Reason{evidence.Send, evidence.Receive,
		evidence.WaitGroup, evidence.Cond}, r) && s.through(p) {
		do = (*search).below
	}
	if do != nil && !do(s, p, &l) {
		return l, false
	}
	if p.Leaked > 0 {
		l.Title += ", and nothing can wake them"
	}
	s.starts(p, &l)
	l.knowing(p.Path[len(p.Path)-1].Function)
	return l, true
}

// through reports whether the program waits in a function of a library other than
// package sync.
func (s *search) through(p *evidence.WaitingPlace) bool {
	return slices.ContainsFunc(p.Path[:slices.Index(p.Path, p.Frame)], func(f evidence.Frame) bool {
		pkg := profile.PackageOf(f.Function)
		return pkg != "sync" && pkg != "internal/sync"
	})
}

// starts adds where the goroutines are started, if that is another line.
func (s *search) starts(p *evidence.WaitingPlace, l *Leak) {
	if len(p.Creators) > 0 {
		l.Remedy += " They are created by " + profile.ShortName(p.Creators[0].Function) + "."
		return
	}
	root := p.Path[len(p.Path)-1]
	if serves(p.Path) || !s.Owns(root) || root.Function == "main.main" {
		return
	}
	var all []string
	for _, place := range s.source.Started(root.Function, root.File, root.Line) {
		if place.Text != "" && (place.Line != p.Line || place.File != s.key(p.Frame).file) {
			all = append(all, at(place))
		}
	}
	if len(all) > 0 {
		l.Remedy += " They are started at " + several(all) + "."
	}
}

func (s *search) atLock(p *evidence.WaitingPlace, l *Leak) bool {
	l.Example = "mu.Lock()\ndefer mu.Unlock() // on every path, and after a panic"
	l.lock = s.source.LockAt(p.Function, p.File, p.Line)
	if l.lock == nil {
		l.Title = goroutines(p) + " wait for a lock"
		l.Remedy = "The lock is never released: look for a path without Unlock, a panic between Lock and Unlock " +
			"that is recovered, or a goroutine that waits while it holds the lock. Unlock with defer, right after " +
			"Lock."
		return true
	}
	name := l.lock.Name
	l.Title = fmt.Sprintf("%s wait for %s", goroutines(p), name)
	if missed := s.source.MissedUnlocks(l.lock); len(missed) > 0 {
		m := missed[0]
		unlock := strings.Replace(m.Acquired.Text, "Lock", "Unlock", 1)
		change := frame(m.Exit)
		l.Change = &change
		l.Title += fmt.Sprintf(", which %s leaves locked", at(m.Exit))
		l.Remedy = fmt.Sprintf("%s without %s, so that %s, locked at %s, is never released. Unlock on every "+
			"path: defer %s() right after %s().",
			exits(missed), unlock, name, at(m.Acquired), unlock, m.Acquired.Text)
		return true
	}
	if s.holder(p, l) {
		return true
	}
	l.Remedy = fmt.Sprintf("No return of the program's source leaves %s locked. Look for a panic between Lock and Unlock that is recovered (net/http recovers handlers), and for a goroutine that waits while it holds it; unlock with defer, and wait for nothing while it is locked.", name)
	var lines []string
	for _, u := range s.source.Undeferred(l.lock) {
		lines = append(lines, at(u))
	}
	if len(lines) > 0 {
		l.Remedy += " Locked without a deferred Unlock: " + several(lines) + "."
	}
	return true
}

// holder looks for a goroutine that holds the lock while it waits.
func (s *search) holder(p *evidence.WaitingPlace, l *Leak) bool {
	var found string
	type state struct {
		taken release.Place
		held  bool
	}
	holds, takes := map[evidence.Frame]state{}, map[evidence.Frame]bool{} // many goroutines are at few lines
	s.EachGoroutine(func(reason evidence.Reason, path []evidence.Frame, _ float64) {
		inner := slices.IndexFunc(path, s.Owns)
		for i, f := range path {
			if found != "" || inner < 0 || !s.Owns(f) || i == inner && reason == evidence.Running {
				continue
			}
			waits := path[inner]
			if _, known := takes[waits]; !known {
				takes[waits] = s.source.LockAt(waits.Function, waits.File, waits.Line).Same(l.lock)
			}
			same := reason == evidence.Lock && takes[waits]
			if same && i == inner {
				continue
			}
			at, known := holds[f]
			if !known {
				at.taken, at.held = s.source.Holds(l.lock, f.Function, f.File, f.Line)
				holds[f] = at
			}
			taken := at.taken
			switch {
			case !at.held:
			case same:
				l.Title += ", which its own goroutine has locked at " + place(frame(taken))
				found = fmt.Sprintf("The goroutine that has locked %s at %s locks it again at %s: a lock of "+
					"package sync is not reentrant, and a second RLock waits behind a waiting Lock. Whoever holds "+
					"the lock has to call a variant of the inner function that does not lock.",
					l.lock.Name, place(frame(taken)), place(waits))
			default:
				found = fmt.Sprintf("It is held, since %s, by a goroutine that waits for %s at %s. Wait for "+
					"nothing while %s is locked: copy what is needed, unlock, then wait.",
					place(frame(taken)), reason, place(waits), l.lock.Name)
				l.Title += ", which is locked while " + place(waits) + " waits"
				change := waits
				l.Change = &change
			}
		}
	})
	if found != "" {
		l.Remedy = found
		l.Example = "mu.Lock()\nn := s.n\nmu.Unlock()\nout <- n // not while mu is locked"
	}
	return found != ""
}

func place(f evidence.Frame) string { return at(release.Place{File: f.File, Line: f.Line}) }

func (s *search) atConnection(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = goroutines(p) + " wait for a database connection"
	l.Example = "rows, err := db.QueryContext(ctx, query)\nif err != nil {\n\treturn err\n}\ndefer rows.Close()"
	var returns []string
	for _, m := range s.source.Unreleased(release.Rows, release.Tx, release.Conn) {
		if len(m.Missed) == 0 && !m.Dropped {
			continue
		}
		exit := m.Place
		if len(m.Missed) > 0 {
			exit = m.Missed[0].Exit
			returns = append(returns, fmt.Sprintf("%s without %s of what %s at %s returned", exits(m.Missed),
				strings.Join(m.Methods, " or "), m.Text, at(m.Place)))
		} else {
			returns = append(returns, fmt.Sprintf("what %s at %s returns is dropped", m.Text, at(m.Place)))
		}
		if l.Change == nil {
			change := frame(exit)
			l.Change = &change
			l.Title += fmt.Sprintf("; %s keeps one", at(exit))
		}
	}
	if len(returns) > 0 {
		l.Remedy = several(returns) + ". Rows, transactions and Conns keep their connection until then: defer " +
			"rows.Close() right after the error is checked, defer tx.Rollback() right after Begin."
		return true
	}
	l.Remedy = "All connections of the pool are in use. Rows, transactions and Conns keep theirs until Close, " +
		"Commit or Rollback: look for a return without it, and for a query made while rows of another are open. If " +
		"all are given back, raise SetMaxOpenConns, and give queries a context with a timeout."
	return true
}

func (s *search) atGroup(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = goroutines(p) + " wait for a WaitGroup"
	l.Example = "wg.Add(1)\ngo func() {\n\tdefer wg.Done() // whatever path it takes\n\twork()\n}()"
	name, missed := s.source.MissedDone(p.Function, p.File, p.Line)
	if len(missed) == 0 {
		l.Remedy = "A goroutine that should call Done does not, or waits itself: call Done with defer in the " +
			"first line of each, and Add only for goroutines that are really started."
		return true
	}
	m := missed[0]
	change := frame(m.Exit)
	l.Change = &change
	l.Title = fmt.Sprintf("%s wait for %s, whose Done %s misses", goroutines(p), name, at(m.Exit))
	l.Remedy = fmt.Sprintf("%s without %s.Done: call it with defer in the first line of the goroutine, and Add right before the go statement.", exits(missed), name)
	return true
}

func (s *search) atCond(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = goroutines(p) + " wait for a condition that nobody signals"
	l.Remedy = "Call Signal or Broadcast after each change that the condition depends on, and Broadcast when no " +
		"more will come, so that waiting goroutines can end."
	l.Example = "mu.Lock()\nclosed = true\nmu.Unlock()\ncond.Broadcast()"
	return true
}

func (s *search) atSystemCall(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = goroutines(p) + " are in a system call or in C, each with a thread of its own"
	l.Remedy = "Limit how many do this at once, by a fixed number of workers or a semaphore: a call that waits in the " +
		"kernel or in C occupies a thread with its stack, and at 10,000 threads Go ends the program. Files and pipes " +
		"that the poller supports block no thread if package os opens them, without Fd or the calls of package syscall."
	l.Example = "var limit = make(chan struct{}, 16)\n\nlimit <- struct{}{}\nn, err := f.ReadAt(block, at)\n<-limit"
	return true
}

func (s *search) atNothing(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = goroutines(p) + " wait for ever"
	l.Remedy = "A select without cases and a nil channel never continue: make the channel before it is used, or " +
		"let the goroutine return."
	l.Example = "s.events = make(chan event) // before anyone waits for it"
	return true
}
