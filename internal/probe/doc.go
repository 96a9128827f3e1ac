// Package probe reads the figures of a run that need no change of the target's source: the
// account of the process, the lines of GODEBUG=gctrace=1, and the metrics of the runtime
// that the injected probe dumps (package inject).
//
// A figure that a run or a system does not have is left out, with the reason; it is never
// a zero.
package probe
