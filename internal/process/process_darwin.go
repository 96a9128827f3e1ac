package process

import (
	"errors"
	"os"
)

const maxrssUnit = 1 // getrusage(2) on Darwin: ru_maxrss is in bytes

// awaitExit returns when the process has ended and takes its status: that it
// could be reused as a group's ID before the group is killed is less likely
// than a kernel that has no waitid.
func (p *process) awaitExit() { p.wait() }

// Only Linux is known to count the parent's memory in the child's peak.

func startSmall(program, [3]*os.File) (*process, error) {
	return nil, errors.ErrUnsupported
}

func ownPeak() int64 { return 0 }
