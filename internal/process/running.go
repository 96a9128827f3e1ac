package process

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/heapwright/heapwright/internal/cgroup"
)

// Running is a program that was started and runs until it ends or is stopped, such as a server.
// Of its methods, only Exited may be called concurrently.
type Running struct {
	cmd            Command
	process        *process
	streams        *streams
	stdout, stderr *capture
	reason         *Lines
	crashed        crash
	ooms           oomKills
	group          cgroup.Group // zero unless Command.Memory is set

	exited chan struct{} // closed after the process has ended
	ended  time.Time     // valid after exited is closed
}

// Start starts the command in its own process group. The caller must call Stop, even if the
// program ends by itself. Timeout has no effect: the program may run for ever.
func Start(c Command) (*Running, error) {
	c = c.withDefaults()
	prog, err := c.resolve()
	if err != nil {
		return nil, err
	}
	r := &Running{cmd: c, stdout: &capture{limit: c.StdoutLimit}, exited: make(chan struct{})}
	r.reason = &Lines{Each: r.crashed.line}
	r.stderr = &capture{next: r.reason}
	if c.Stderr != nil {
		r.stderr.next = io.MultiWriter(r.reason, c.Stderr)
	}
	if r.streams, err = openStreams(c.Stdin, r.stdout, r.stderr); err != nil {
		return nil, fmt.Errorf("run %s: %w; raise the limit of open files (ulimit -n)", c.Path, err)
	}
	if c.Memory > 0 {
		if r.group, err = cgroup.New(c.Memory); err != nil {
			r.streams.close()
			return nil, fmt.Errorf("run %s: %w", c.Path, err)
		}
		prog.join = r.group.Procs()
	}
	r.ooms = countOOMKills()
	if r.process, err = start(prog, r.streams.child); err != nil {
		r.streams.close()
		r.leaveGroup()
		return nil, fmt.Errorf("start %s: %w%s", c.Path, err, startRemedy(prog.path, err))
	}
	r.streams.started()
	go func() {
		r.process.awaitExit()
		r.ended = time.Now()
		close(r.exited)
	}()
	return r, nil
}

// Exited is closed when the process has ended, for any reason.
func (r *Running) Exited() <-chan struct{} { return r.exited }

// Stop ends the process group, with force after Grace, and returns the outcome of the run.
// Failure is set if the process had ended by itself, in whatever way. Afterwards no process of
// the group is left.
func (r *Running) Stop() (Outcome, error) {
	select {
	case <-r.exited:
		out, err := r.finish(nil)
		if err == nil && out.Failure == "" {
			out.Failure = "ended by itself"
		}
		return out, err
	default:
	}
	r.end()
	return r.finish(errStopped)
}

var errStopped = errors.New("stopped")

// end asks the process group to end, and kills it after the grace period.
func (r *Running) end() {
	r.process.terminate()
	grace := time.NewTimer(r.cmd.Grace)
	defer grace.Stop()
	select {
	case <-r.exited:
	case <-grace.C:
		r.process.kill()
		<-r.exited
	}
}

// finish collects the figures of the ended process, and ends the processes that it left behind.
func (r *Running) finish(stopped error) (Outcome, error) {
	out := Outcome{Started: r.process.began, Wall: r.ended.Sub(r.process.began), TimedOut: stopped == errTimeout}

	// A child of the target may hold the pipes. Let it finish, then end it; if
	// it has left the group, leave it and close our end.
	r.streams.drain(r.cmd.WaitDelay)
	r.process.kill()
	r.streams.drain(r.cmd.WaitDelay)
	r.streams.close()

	if err := r.process.reap(&out); err != nil {
		return out, fmt.Errorf("wait for %s: %w", r.cmd.Path, err)
	}
	out.Stdout, out.Dropped = r.stdout.head, r.stdout.dropped()
	r.reason.Flush()
	if out.LastOutput = r.crashed.before(r.stderr.tail()); out.LastOutput == "" {
		out.LastOutput = r.stdout.tail()
	}
	ooms := r.oomKills()
	r.leaveGroup()
	out.judge(r.cmd, stopped, ooms)
	return out, nil
}

// oomKills counts the processes that the kernel killed in the control group of the run,
// or on the whole machine if the run has no group.
func (r *Running) oomKills() oomKills {
	if r.cmd.Memory == 0 {
		return countOOMKills().since(r.ooms)
	}
	kills := oomKills{known: true}
	if r.group.OOMKilled() {
		kills.n = 1
	}
	return kills
}

// leaveGroup removes the control group. That fails if it still has a process that has left the
// process group.
func (r *Running) leaveGroup() {
	if r.cmd.Memory > 0 {
		r.group.Remove()
	}
}
