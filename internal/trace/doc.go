// Package trace reads an execution trace of the Go runtime and reports how much
// of a program's delays its garbage collector causes, and which lines pay. It also names
// the lines that stop the world, and those that wait for others.
//
// The stance: a trace is evidence, not a picture to guess from. Every figure has
// a definition that needs no judgement, so that two readers of one trace agree.
//
// A processor (P) works for the collector while it runs a mark worker or a mark
// assist, sweeps before an allocation, or stands still because the collector
// stopped the world. Everything else that runs is the program's own work.
//
// A burst is a goroutine's work between two waits of its own: it begins when the
// goroutine becomes runnable because of an event (it was created, or a channel,
// lock, timer or network connection woke it) and ends when it waits for the next
// such event or exits. Its length is the time in which it could have run: running,
// runnable, or waiting for the collector; system calls are left out. In a server
// a request is one burst, or several with calls to other services between them.
//
// The collector's part of a burst is the sum of
//
//   - assist: its running time inside mark assists;
//   - sweep: its running time while it sweeps before an allocation;
//   - wait: the time that it is blocked for the collector's sake: an assist
//     without work to do, a stack scan, a lock of the collector, the end of a cycle;
//   - queue: while it is runnable, the share of processors that work for the
//     collector, integrated over that time. A goroutine that is runnable for 10 ms
//     while one of two processors marks has a queue part of 5 ms.
//   - pause: the same integral over stopped processors.
//
// The delay of a goroutine is one stay in the state runnable, as in the metric
// /sched/latencies:seconds; its collector's part are its queue and pause.
//
// The tail at quantile q are the bursts (or delays) that are at least as long as
// the q-quantile. The collector's share of a tail is the sum of the collector's
// parts of those bursts, divided by the sum of their lengths. "Without" is the
// q-quantile of lengths after each burst's collector's part was taken off: the
// figure to expect if the collector cost nothing and all else stayed the same.
//
// Joined bursts are the bursts of one goroutine, joined across waits for something shared:
// a lock, a connection of a pool, or a goroutine that is busy with other work. The length
// includes these waits. A line that stops the world, or that waits until another line
// releases, takes part of a joined burst; see docs/internals/trace.md. Idle waits, such as
// those for work, news or data, end a joined burst as they end a burst.
//
// Goroutines of the runtime have neither bursts nor delays here. A burst that was
// under way when the trace began or ended is not counted. A goroutine that waits
// for a lock that another holds during an assist waits for that lock: such second
// hand costs are not the collector's here, so that shares are lower bounds. While
// another stops the world, a goroutine that waits for a lock of the collector waits
// for that stop, and not for the collector.
package trace
