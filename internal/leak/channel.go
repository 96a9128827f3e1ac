package leak

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/release"
)

// filled is the number of goroutines that work in a loop from which on they are no
// pool that fills: pools are sized for processors, connections or queues.
const filled = 1000

func (s *search) atSend(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = goroutines(p) + " send to a channel that nobody receives from"
	l.Remedy = "Whoever should receive has left. Give a channel for one result room for it, make(chan T, 1), or " +
		"send in a select with ctx.Done()."
	l.Example = "result := make(chan T, 1) // the sender never waits"
	c, ok := s.source.ChannelAt(p.Function, p.File, p.Line, true)
	if !ok {
		return true
	}
	l.Title = fmt.Sprintf("%s send to %s, and nobody receives", goroutines(p), c.Name)
	switch {
	case len(c.Kept) > 0:
		s.keeps(l, c, "room in ")
	case len(c.Missed) > 0:
		change := frame(c.Made)
		l.Change = &change
		l.Title = fmt.Sprintf("%s send to %s, from which %s no longer receives", goroutines(p),
			c.Name, at(c.Missed[0].Exit))
		l.Remedy = fmt.Sprintf("%s without receiving from %s, made at %s, so the sender waits for ever. Give the "+
			"channel room for every result that may come, make(chan T, 1) for one sender, or let the sender select "+
			"with ctx.Done().",
			exits(c.Missed), c.Name, at(c.Made))
	case c.Received == (release.Place{}):
		l.Remedy = fmt.Sprintf("The program has no line that receives from %s. Receive from it, or send in a "+
			"select with ctx.Done() or a default case.", c.Name)
	case s.receiverWaits(c, p, l):
	default:
		l.Remedy = fmt.Sprintf("%s is received from at %s, which does not keep up or has ended. Send in a "+
			"select with ctx.Done(), or with a default case where a value may be dropped.", c.Name, at(c.Received))
		l.Example = "select {\ncase out <- v:\ncase <-ctx.Done():\n\treturn\n}"
	}
	return true
}

// receiverWaits looks for a goroutine that receives from the channel elsewhere in its
// function, and now waits for something else.
func (s *search) receiverWaits(c release.Channel, p *evidence.WaitingPlace, l *Leak) (found bool) {
	s.EachGoroutine(func(reason evidence.Reason, path []evidence.Frame, _ float64) {
		inner := slices.IndexFunc(path, s.Owns)
		if found || inner < 0 || path[inner] == p.Frame || !slices.Contains(holding, reason) {
			return
		}
		waits := path[inner]
		receives := slices.ContainsFunc(path[inner:], func(f evidence.Frame) bool {
			in, _ := s.source.ReceivedIn(c, f.Function, f.File, f.Line)
			return in && s.Owns(f)
		})
		other, known := s.source.ChannelAt(waits.Function, waits.File, waits.Line, reason == evidence.Send)
		if !receives || reason == evidence.Receive && (!known || other.Name == c.Name) {
			return
		}
		found = true
		l.Change = &waits
		l.Title += ": the receiver waits at " + place(waits)
		l.Example = "var gone []*client\nfor c := range h.clients {\n\tif c.write(m) != nil {\n\t\tgone = append(gone, c)\n\t}\n}\n" +
			"for _, c := range gone {\n\th.remove(c) // directly, not by a channel\n}"
		_, only := s.source.ReceivedIn(other, waits.Function, waits.File, waits.Line)
		if reason == evidence.Send && known && only {
			l.Remedy = fmt.Sprintf("The goroutine that receives from %s sends to %s at %s, and it is the only "+
				"receiver of that, too: it waits for itself, a deadlock. Do the work of the receiver there directly, "+
				"for all such values after the loop; room in the channel only makes it rarer.",
				c.Name, other.Name, place(waits))
			return
		}
		if reason == evidence.Receive && other.Timer {
			l.Title += " for a timer"
			l.Remedy = fmt.Sprintf("The goroutine that receives from %s waits at %s for the value of a timer that "+
				"has been received already, or that was stopped: Stop returns false then, too, and the channel stays "+
				"empty. Do not drain it: since Go 1.23, no old value follows Stop or Reset. With an older Go, drain in "+
				"a select with a default case.", c.Name, place(waits))
			l.Example = "if !timer.Stop() {\n\tselect {\n\tcase <-timer.C:\n\tdefault: // it was received before\n\t}\n}"
			return
		}
		l.Remedy = fmt.Sprintf("The goroutine that receives from %s waits for %s at %s. Wait for nothing there: "+
			"do that in a goroutine of its own, or in a select with ctx.Done() and a time limit.",
			c.Name, reason, place(waits))
		l.Example = "select {\ncase out <- v:\ncase <-ctx.Done():\n\treturn\n}"
	})
	return found
}

// holding are the reasons for which a goroutine that should receive does not.
var holding = []evidence.Reason{evidence.Send, evidence.Receive, evidence.Lock, evidence.WaitGroup, evidence.Cond,
	evidence.Connection, evidence.Response, evidence.Read, evidence.Write, evidence.SystemCall}

func (s *search) atReceive(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = goroutines(p) + " wait for a value that nobody sends"
	l.Remedy = "Close the channel after the last send, also on paths that fail, or receive in a select with ctx.Done()."
	l.Example = "go func() {\n\tdefer close(out) // receivers that range over it end\n\tproduce(out)\n}()"

	// The text above is right for any channel. The source may show more.
	c, ok := s.source.ChannelAt(p.Function, p.File, p.Line, false)
	switch {
	case !ok:
		return true
	case c.Ticker, c.Signals:
		s.notClosed(c, l)
		return true
	case c.Done:
		if serves(p.Path) && p.Leaked == 0 {
			return false // a request that ends with its connection
		}
		if c.Sent != (release.Place{}) && p.Grows {
			l.Title = fmt.Sprintf("%s wait for their turn at %s", goroutines(p), c.Name)
			l.Remedy = fmt.Sprintf("%s lets them through more slowly than they come (%s). Bound their number: a "+
				"few workers that take the work from a queue, and drop or hold back what does not fit. If that "+
				"line no longer runs, receive in a select with ctx.Done() as well.",
				c.Name, at(c.Sent))
			l.Example = "select {\ncase queue <- work: // for a few workers\ndefault:\n\tdropped.Add(1)\n}"
			return true
		}
		l.Title = goroutines(p) + " wait for an end that does not come"
		l.Remedy = fmt.Sprintf("%s ends nothing: cancel its context, or close the channel, when the work is over. If it lives as "+
			"long as the process, wait in a select that the end of the work ends as well, or use context.AfterFunc and its stop.",
			c.Name)
		l.Example = "ctx, cancel := context.WithCancel(ctx)\ndefer cancel()"
		s.cancels(l)
		return true
	case c.Shared && p.Leaked == 0 && p.Now() < filled && s.source.Looped(p.Function, p.File, p.Line):
		return false // a pool that fills
	}

	// What holds the channel, and where it should be closed, makes the best remedy.
	l.Title = fmt.Sprintf("%s wait for a value from %s, and nobody sends one or closes it", goroutines(p), c.Name)
	switch {
	case len(c.Kept) > 0:
		s.keeps(l, c, "a value from ")
	case len(c.Missed) > 0 && c.Closed != (release.Place{}):
		change := frame(c.Missed[0].Exit)
		l.Change = &change
		l.Remedy = fmt.Sprintf("%s without closing %s, made at %s. Close it on every path, with defer close(%s).",
			exits(c.Missed), c.Name, at(c.Made), c.Name)
	case c.Closed == (release.Place{}):
		l.Remedy = fmt.Sprintf("The program has no line that closes %s. Close it after the last send, with "+
			"defer close(%s) in the sender, or receive in a select with ctx.Done().", c.Name, c.Name)
	}
	if serves(p.Path) && l.Change == nil {
		l.Remedy += " A handler that waits for a channel alone does not see that its client has left: select " +
			"on r.Context().Done() as well."
		l.Example = "select {\ncase m := <-ch:\n\tuse(m)\ncase <-r.Context().Done():\n\treturn\n}"
	}
	return true
}

// notClosed explains goroutines that wait for a channel which stopping does not close.
func (s *search) notClosed(c release.Channel, l *Leak) {
	stop := strings.TrimSuffix(c.Name, ".C") + ".Stop"
	if c.Signals {
		stop = "signal.Stop"
	}
	l.Title = fmt.Sprintf("%s wait for %s, which %s does not close", goroutines(l.Places[0]), c.Name, stop)
	l.Remedy = fmt.Sprintf("A goroutine that receives from %s alone never ends: %s only ends the values. Receive "+
		"in a select with a done channel or ctx.Done() as well, and close that, or cancel the context, where the owner "+
		"stops.", c.Name, stop)
	l.Example = "select {\ncase <-ticker.C:\n\tcheck()\ncase <-done: // closed by Stop\n\treturn\n}"
}

func (s *search) atSelect(p *evidence.WaitingPlace, l *Leak) bool {
	if !s.direct(p) {
		return s.below(p, l)
	}
	in, known := s.source.SelectAt(p.Function, p.File, p.Line)
	switch {
	case p.Leaked > 0:
	case serves(p.Path) && (in.Done || !known), in.Timed:
		return false // a request that waits, and ends with its connection, or after a time
	case in.Shared && p.Now() < filled:
		return false // a pool that fills
	}
	l.Example = "for {\n\tselect {\n\tcase v := <-in:\n\t\tuse(v)\n\tcase <-ctx.Done(): // or a done channel\n\t\treturn\n\t}\n}"
	switch {
	case !known:
		l.Title = goroutines(p) + " wait in a select"
		l.Remedy = "Give each select a case that ends it, <-ctx.Done() or a done channel, and end the context " +
			"or close the channel when the work is over."
	case in.Done:
		l.Title = goroutines(p) + " wait in a select whose end does not come"
		l.Remedy = "The select has a case that ends it, a context or a done channel, but it does not come: " +
			"cancel the context or close the channel when the work is over."
		s.cancels(l)
	default:
		l.Title = goroutines(p) + " wait in a select without an end"
		l.Remedy = "No case of the select ends the goroutine: add <-ctx.Done() or a done channel, and end it when " +
			"the work is over. A goroutine that is meant to run for the whole program is started once, not for " +
			"each call."
	}
	return true
}

// keeps explains a semaphore or a pool that a path does not give back to.
func (s *search) keeps(l *Leak, c release.Channel, what string) {
	m := c.Kept[0]
	change := frame(m.Exit)
	l.Change = &change
	l.Title = fmt.Sprintf("%s wait for %s%s, which %s keeps", goroutines(l.Places[0]), what, c.Name, at(m.Exit))
	l.Remedy = fmt.Sprintf(
		"%s without giving back to %s what it took at %s. Give it back with defer right after it is taken.",
		exits(c.Kept), c.Name, at(m.Acquired))
	l.Example = "sem <- struct{}{}\ndefer func() { <-sem }()"
}

// cancels adds the contexts that are not cancelled on every path.
func (s *search) cancels(l *Leak) {
	var all []string
	for _, m := range s.source.Unreleased(release.Cancel) {
		if len(m.Missed) > 0 || m.Dropped {
			all = append(all, at(m.Place))
			if l.Change == nil {
				change := frame(m.Place)
				l.Change = &change
			}
		}
	}
	if len(all) > 0 {
		l.Remedy += " Not every path calls the cancel function of " + several(all) + ": defer cancel()."
	}
}

func (s *search) atSleep(p *evidence.WaitingPlace, l *Leak) bool {
	endless := s.source.Endless(p.Function, p.File, p.Line)
	switch {
	case s.source == nil, endless, p.Leaked > 0:
	case s.source.Looped(p.Function, p.File, p.Line) && !serves(p.Path):
		l.Title = goroutines(p) + " sleep between attempts that do not succeed"
		l.Remedy = "The loop around time.Sleep ends only with success. Bound the number of attempts, or wait " +
			"in a select with ctx.Done() of a context that has a deadline."
		l.Example = "select {\ncase <-time.After(backoff):\ncase <-ctx.Done():\n\treturn ctx.Err()\n}"
		l.Confidence = lower(l.Confidence, evidence.Medium)
		return true
	default:
		return false // it sleeps once or so often, and goes on
	}
	l.Title = goroutines(p) + " sleep in a loop that nothing ends"
	l.Remedy = "A loop around time.Sleep cannot be stopped: start it once for the whole program, or wait for a " +
		"ticker in a select with ctx.Done(), and end the context when its owner is closed."
	l.Example = "tick := time.NewTicker(interval)\ndefer tick.Stop()\nfor {\n\tselect {\n\tcase <-tick.C:\n\t\tsweep()\n\tcase <-ctx.Done():\n\t\treturn\n\t}\n}"
	return true
}

func (s *search) atNetwork(p *evidence.WaitingPlace, l *Leak) bool {
	if serves(p.Path) && p.Leaked == 0 {
		return false // a connection that a client keeps open
	}
	if p.Leaked == 0 && p.Reason() != evidence.Accept && s.hasDeadline(p) {
		return false // who does not answer is hung up on
	}
	reason := p.Reason()
	l.Title = fmt.Sprintf("%s wait for %s, without a deadline", goroutines(p), reason)
	l.Confidence = lower(l.Confidence, evidence.Low)
	l.Example = "conn.SetReadDeadline(time.Now().Add(idle)) // before each read\ndefer conn.Close()"
	l.Remedy = "Each has an open connection. If the other side is gone, or the connection has no more purpose, set " +
		"a deadline before each read and write, and close the connection on every path. If clients keep so many " +
		"open, it is no leak."
	if i := slices.IndexFunc(p.Path, func(f evidence.Frame) bool {
		return strings.HasPrefix(f.Function, "io.Copy") || strings.HasPrefix(f.Function, "io.copyBuffer")
	}); i >= 0 {
		l.Title = goroutines(p) + " copy from connections that do not end"
		l.Confidence = lower(confidence(p), evidence.Medium)
		l.Remedy = "When one direction of a tunnel ends, the other one still waits: close both connections, or the " +
			"write side with CloseWrite, once one of the copies returns, and set a deadline for idle ones. If " +
			"clients keep so many open, it is no leak."
		l.Example = "go func() { io.Copy(a, b); a.Close(); b.Close() }()\nio.Copy(b, a)\na.Close()\nb.Close()"
	}
	return true
}

// hasDeadline reports whether a function on the path sets a deadline, or one that calls
// such a function. Another part of the program may set deadlines of its own connections.
func (s *search) hasDeadline(p *evidence.WaitingPlace) bool {
	return slices.ContainsFunc(p.Path, func(f evidence.Frame) bool {
		return s.Owns(f) && s.source.CallsNear(f.Function, f.File, f.Line, "SetDeadline",
			"SetReadDeadline", "SetWriteDeadline")
	})
}

func (s *search) atResponse(p *evidence.WaitingPlace, l *Leak) bool {
	if s.source.Looped(p.Function, p.File, p.Line) && p.Now() < filled && p.Leaked == 0 {
		return false // each asks again and again: more clients, not more requests of one
	}
	l.Title = goroutines(p) + " wait for HTTP responses"
	l.Confidence = lower(l.Confidence, evidence.Medium)
	l.Remedy = "The server answers more slowly than requests are made, or not at all. Give the client a Timeout, " +
		"or each request a context with one, and bound the number of requests under way."
	l.Example = "client := &http.Client{Timeout: 10 * time.Second}"
	return true
}

// calls are functions of libraries, by the beginning of their names, whose waits have a
// cause of their own.
var calls = []struct{ function, title, remedy, example string }{
	{"io.(*pipe)", " wait for the other end of an io.Pipe",
		"The other end has stopped reading or writing and is not closed. Close both ends on every path: the " +
			"reader with CloseWithError when it leaves, so that Write returns, and the writer after the last Write.",
		"r, w := io.Pipe()\ndefer r.Close() // Write returns, and its goroutine ends"},
	{"golang.org/x/sync/semaphore.", " wait for a semaphore", "Some path acquires it without Release: call it with " +
		"defer right after Acquire, and acquire with a context that has a deadline.",
		"if err := sem.Acquire(ctx, 1); err != nil {\n\treturn err\n}\ndefer sem.Release(1)"},
	{"golang.org/x/sync/errgroup.", " wait for an errgroup", "One of the group's goroutines does not return: give " +
		"each the context of errgroup.WithContext, and let it end with that.",
		"g, ctx := errgroup.WithContext(ctx)\ng.Go(func() error { return work(ctx) })"},
	{"os/exec.", " wait for a command", "The command does not end, or " + pipesStay, pipesExample},
}

const (
	pipesStay = "a process that it started in the background keeps its pipes open: Run, Wait and Output return only when " +
		"all have closed the pipe that os/exec makes for a Stdout that is no *os.File, even if the context has killed " +
		"the command. Give the command a context with a deadline and set its WaitDelay, give it files, or kill its " +
		"whole process group (SysProcAttr.Setpgid)."
	pipesExample = "cmd.WaitDelay = time.Second // after ctx is done, or the command has ended"
)

// direct reports whether the program's own line is the one that waits, rather than a
// function of a library that it calls.
func (s *search) direct(p *evidence.WaitingPlace) bool {
	return len(p.Path) > 0 && p.Path[0] == p.Frame
}

// below explains goroutines that wait in a function of a library.
func (s *search) below(p *evidence.WaitingPlace, l *Leak) bool {
	serving := serves(p.Path) && p.Leaked == 0
	i := slices.Index(p.Path, p.Frame)
	for _, c := range calls {
		if slices.ContainsFunc(p.Path[:i], func(f evidence.Frame) bool {
			return strings.HasPrefix(f.Function, c.function)
		}) {
			l.Title, l.Remedy, l.Example = goroutines(p)+c.title, c.remedy, c.example
			return !serving || p.Grows // more and more requests wait
		}
	}
	if serving {
		return false
	}
	l.Title = fmt.Sprintf("%s wait in %s", goroutines(p), profile.ShortName(p.Path[i-1].Function))
	l.Confidence = lower(l.Confidence, evidence.Medium)
	l.Remedy = "The call does not return. Give it a context with a timeout, or end what it waits for: close the " +
		"connection, subscription or queue that it reads."
	l.Example = "ctx, cancel := context.WithTimeout(ctx, 10*time.Second)\ndefer cancel()"
	return true
}
