package gctune

import (
	"fmt"
	"log/slog"
	"time"
)

// NoLimit as Options.Limit keeps no memory limit, not even the control groups'.
const NoLimit = -1

// Options are the limit and the floor to keep. The zero value keeps the control
// group's memory limit and the default caps, and has no heap floor.
type Options struct {
	// MinHeap is the heap floor in bytes: no collection starts before the heap has
	// grown to it. 0 means none. The pacer starts a cycle between 70% and 100% of
	// the way to its goal, so the goal is up to 1.42 times the floor. Only garbage
	// fills the room above the floor.
	MinHeap int64

	// GOGC is the growth over the live heap, in percent, that applies where neither
	// floor nor limit decides. 0 means the setting that Start finds. With a negative
	// value only floor and limit decide, so a limit is needed. If the limit is
	// removed later, the setting that Start found applies, or 100 if that is off.
	GOGC int

	// Limit is the process's memory limit in bytes, for all memory that the kernel
	// charges. 0 means the tightest limit of the process's control groups, v1 or v2,
	// followed as it changes. A limit given here applies in addition to theirs.
	// NoLimit means none.
	Limit int64

	// MaxGCCPU is the largest share of the process's CPU (GOMAXPROCS times wall
	// time) that collections may take in any second. 0 means 0.25. It must lie in
	// (0, 0.5]: above one half the runtime's own limiter acts.
	MaxGCCPU float64

	// MinGOGC is the least growth over the live heap, in percent, under a memory
	// shortage. If a live heap leaves less under the limit for 10 s, the limit is
	// given up. 0 means 5.
	MinGOGC int

	// Hooks are called when the need for memory reaches their share of the limit,
	// and when the limit is given up.
	Hooks []Hook

	// Logger receives the decisions. Its handler may call Stats, but neither Start
	// nor Stop, which wait for it. Nil means slog.Default() at the time of each
	// message, since a tuner that starts on import precedes main's SetDefault.
	Logger *slog.Logger
}

// Event is the argument of a hook.
type Event struct {
	Reason string   // why the hook is called, one sentence
	At     Snapshot // the tuner's figures at that moment
}

// Hook is an action to take while there is still memory left for it.
type Hook struct {
	// Share is the part of the limit, in (0, 1], at which the hook is called. 0
	// means 0.8. Only memory that no collection could free counts, so garbage alone
	// never calls a hook. All hooks are called when the limit is given up, whatever
	// their share.
	Share float64

	// OnExceed calls the hook only when the limit is given up ([Exceeding]), because
	// defending it would exceed MaxGCCPU. This is the moment to shed load.
	OnExceed bool

	// Every is the interval of calls while their reason lasts, and the shortest time
	// between any two. 0 means 1 minute.
	Every time.Duration

	// Do runs in a goroutine of its own, never twice at the same time. Its
	// error is logged.
	Do func(Event) error
}

const (
	defaultGOGC     = 100 // the runtime's
	defaultMaxGCCPU = 0.25
	defaultMinGOGC  = 5
	defaultShare    = 0.8
	defaultEvery    = time.Minute

	// maxSize bounds sizes, so that scan*GOGC stays within 64 bits in the
	// runtime (mgcpacer.go, commit) whatever the live heap becomes.
	maxSize = 1 << 40
)

// filled returns o with defaults in place of zeros, or an error that names its fault.
func (o Options) filled() (Options, error) {
	if o.MaxGCCPU == 0 {
		o.MaxGCCPU = defaultMaxGCCPU
	}
	if o.MinGOGC == 0 {
		o.MinGOGC = defaultMinGOGC
	}
	switch {
	case o.MinHeap < 0 || o.MinHeap > maxSize:
		return o, optionError("MinHeap", "%d bytes: give 0 (none) to 1 TiB", o.MinHeap)
	case o.Limit < NoLimit || o.Limit > maxSize:
		return o, optionError("Limit", "%d bytes: give 0 (from the control group), NoLimit, or up to 1 TiB", o.Limit)
	case o.Limit > 0 && o.MinHeap > o.Limit:
		return o, optionError("MinHeap", "the heap floor of %s is above the limit of %s: lower it, or raise the limit", size(o.MinHeap), size(o.Limit))
	case !(o.MaxGCCPU > 0 && o.MaxGCCPU <= 0.5):
		return o, optionError("MaxGCCPU", "%v: give a share of the CPU over 0, at most 0.5", o.MaxGCCPU)
	case o.MinGOGC < 1 || o.MinGOGC > 100:
		return o, optionError("MinGOGC", "%d: give 1 to 100 percent", o.MinGOGC)
	case o.GOGC > 100_000:
		return o, optionError("GOGC", "%d: give at most 100000 percent, or a heap floor in bytes instead", o.GOGC)
	}
	hooks := make([]Hook, len(o.Hooks))
	for i, h := range o.Hooks {
		if h.Share == 0 {
			h.Share = defaultShare
		}
		if h.Every == 0 {
			h.Every = defaultEvery
		}
		option := fmt.Sprintf("Hooks[%d].", i)
		switch {
		case !(h.Share > 0 && h.Share <= 1):
			return o, optionError(option+"Share", "%v: give a share of the limit over 0, at most 1", h.Share)
		case h.Every < 0:
			return o, optionError(option+"Every", "%v: give a positive duration", h.Every)
		case h.Do == nil:
			return o, optionError(option+"Do", "nil: give it a function")
		}
		hooks[i] = h
	}
	o.Hooks = hooks
	return o, nil
}

// An OptionError reports an option with which [Start] cannot start.
type OptionError struct {
	Option string // the field of Options, such as "Limit" or "Hooks[0].Share"
	Reason string // the fault and its remedy; names no option
}

func (e *OptionError) Error() string { return "gctune: " + e.Option + ": " + e.Reason }

func optionError(option, format string, args ...any) error {
	return &OptionError{option, fmt.Sprintf(format, args...)}
}

func (o *Options) log() *slog.Logger {
	if o.Logger == nil {
		return slog.Default()
	}
	return o.Logger
}
