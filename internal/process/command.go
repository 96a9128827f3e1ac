package process

import (
	"io"
	"syscall"
	"time"
)

// Command is one process to run.
type Command struct {
	// Path is the program. Without a slash it is looked up in PATH; otherwise
	// a relative path is relative to this process's directory, not to Dir.
	Path string
	Args []string // without the program's name
	Dir  string   // "" is this process's directory
	Env  []string // "KEY=value"; nil is this process's environment
	// Stdin is the name of a file, "" for empty input.
	Stdin string

	// Memory, if not 0, is the limit in bytes of a memory control group that the
	// program is started in, as a container has one; with it, the right to make
	// such a group is needed.
	Memory int64
	// Timeout ends the run; 0 is none.
	Timeout time.Duration
	// Grace is how long the process group may take to end itself after SIGTERM,
	// before it is killed; 0 is 2 s.
	Grace time.Duration
	// WaitDelay is how long to wait for the end of output that a child of the
	// ended process still holds open; 0 is 500 ms. The rest of the process group is
	// killed then.
	WaitDelay time.Duration

	// ExitCode is the status with which a successful run ends.
	ExitCode int

	// StdoutLimit bounds Outcome.Stdout in bytes; 0 is 16 MiB. More is read and
	// dropped.
	StdoutLimit int
	// Stderr, if set, receives all of standard error while it is written, as a
	// probe.Tracer does. It must neither fail nor wait.
	Stderr io.Writer

	confined bool
}

// Outcome is how a run went. Its zero Failure means success.
type Outcome struct {
	Stdout  []byte // the first StdoutLimit bytes
	Dropped int64  // bytes of standard output beyond them
	// LastOutput is the last lines of standard error, or of standard output
	// where the former is empty; at most 20 lines and 8 KiB.
	LastOutput string

	Started time.Time
	Wall    time.Duration // the time between the program's start and its end
	Usage   Usage

	ExitCode  int            // -1 where a signal ended the process
	Signal    syscall.Signal // the signal that ended the process; 0 if none did
	TimedOut  bool
	OOMKilled bool // the kernel killed it for want of memory
	// Failure says in words why the run counts for nothing: "exit status 2",
	// "killed: out of memory", "timed out after 30s"; "" for a run that ended
	// well.
	Failure string
}

// Usage is the kernel's account of a process and of the children that it waited
// for: sums of times and counts, and the largest peak among them.
type Usage struct {
	User, System time.Duration
	PeakRSS      int64 // bytes
	// Floor is the least that PeakRSS can be, whatever the target does, in
	// bytes; see the package comment.
	Floor       int64
	MinorFaults int64 // page faults served without I/O
	MajorFaults int64
	Voluntary   int64 // context switches, because it waited
	Involuntary int64 // context switches, because its time was up
}

// CPU is the time that the process spent on processors: the primary metric.
func (u Usage) CPU() time.Duration { return u.User + u.System }

// rssError is how far two readings of the same resident memory may lie apart, in
// bytes: Linux counts pages for each CPU and adds the counts up now and then.
const rssError = 512 << 10

// AtMost reports that PeakRSS is only an upper bound: the peak is the floor's,
// and the target's own may be anything below.
func (u Usage) AtMost() bool { return u.PeakRSS <= u.Floor+rssError }
