package process

import "golang.org/x/sys/unix"

const maxrssUnit = 1 << 10 // getrusage(2): ru_maxrss is in kilobytes

// awaitExit returns when the process has ended. It leaves the zombie, which
// keeps the IDs of the process and its group from being given to others.
func (p *process) awaitExit() {
	for unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}
