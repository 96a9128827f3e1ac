// Package process runs a program in a process group of its own and accounts for it:
// CPU time, peak memory, page faults, how it ended and its last words.
//
// When a run is over, nothing of its process group lives. A peak that may be too high
// says so.
//
// # Peak memory
//
// On Linux the peak resident memory that wait4 reports for a child is not the
// child's alone. Until it executes the new program, a child that Go starts
// lives in the memory of its parent (CLONE_VM), and execve folds the peak of
// the memory that it leaves into the signal structure that wait4 reads
// (exec_mmap in fs/exec.c, setmax_mm_hiwater_rss): a parent of 200 MB makes
// /bin/true report 207 MB. So a target is started by a small process: a second
// instance of this program (package spawn). It gives back its clean pages,
// starts the target as its own sibling (CLONE_PARENT), says its process ID and
// ends. The target is then our direct child; wait4 reports its CPU time and
// memory and nothing of the starter's but a floor of 2.7 MB, about as much as an empty
// Go program takes. The price is 2.5 to 5 ms before each run, which the
// run's wall time does not contain (BenchmarkRun, on a shared machine of two
// cores). Where the starter cannot be used, the floor is this process's own
// peak, and a peak at the floor is marked as an upper bound ([Usage.AtMost]).
//
// Rejected: a launcher that stays and reports rusage (its life must be tied to
// ours and to the target's, and it takes part in the run), /bin/sh and
// PR_SET_CHILD_SUBREAPER (background jobs of a shell ignore SIGINT, and every
// orphan becomes ours), VmHWM from /proc (gone with the process), ptrace (slows
// the signals by which Go preempts), taskstats and memory.peak (root).
package process
