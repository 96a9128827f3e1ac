package process

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

const platform = runtime.GOOS + "/" + runtime.GOARCH

// oomKills counts the processes that the kernel killed for want of memory
// since it started.
type oomKills struct {
	n     int64
	known bool
}

func (k oomKills) since(before oomKills) oomKills {
	return oomKills{k.n - before.n, k.known && before.known}
}

// judge sets OOMKilled and Failure from how the process ended, the reason why it was
// stopped (nil if by itself) and the OOM kills of its time.
func (o *Outcome) judge(c Command, stopped error, ooms oomKills) {
	// A shell says 128+n of a child that signal n ended.
	killed := o.Signal == syscall.SIGKILL || o.ExitCode == 128+int(syscall.SIGKILL)
	o.OOMKilled = stopped == nil && killed && ooms.known && ooms.n > 0
	switch {
	case o.TimedOut:
		o.Failure = fmt.Sprintf("timed out after %v", c.Timeout.Round(10*time.Millisecond))
	case stopped == errStopped: // we asked the server to end; how it does so is its own affair
	case stopped != nil:
		o.Failure = "interrupted"
	case o.OOMKilled:
		o.Failure = "killed: out of memory"
	case o.Signal == syscall.SIGKILL && !ooms.known:
		o.Failure = "killed, probably out of memory"
	case o.Signal != 0:
		o.Failure = "signal: " + o.Signal.String()
	case o.ExitCode == c.ExitCode:
	case o.ExitCode > 255: // a Windows status such as 0xc0000005
		o.Failure = fmt.Sprintf("exit status %#x", o.ExitCode)
	default:
		o.Failure = fmt.Sprintf("exit status %d", o.ExitCode)
	}
}
