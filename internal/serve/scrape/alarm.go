package scrape

import (
	"cmp"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// Alarm says when a process is near its limit of memory. The zero value is useful.
type Alarm struct {
	Share    float64       // the part of the limit that gives an alarm; 0 is 0.8
	Cooldown time.Duration // the least distance of two alarms of a process; 0 is a minute
}

func (a *Alarm) setDefaults() {
	a.Share = cmp.Or(a.Share, 0.8)
	a.Cooldown = cmp.Or(a.Cooldown, time.Minute)
}

// soonest is the least distance of two looks at the figures of a process.
const soonest = time.Second

// alarmState is how near a process is to an alarm.
type alarmState struct {
	last   time.Time // the last alarm
	next   float64   // the memory that gives the next alarm; 0 is none before the cooldown ends
	at     time.Time // the time of a look
	used   float64   // the memory at that time
	growth float64   // bytes in a nanosecond, until then
	look   time.Time // the next look, if it has to be before the regular one
}

// alarms reports whether these figures give an alarm: profiles are to be taken now, while
// the process lives. While it stays near its limit, one alarm follows another after the
// cooldown, so that the last profiles before its end are not older than that. A process that
// takes half of the rest meanwhile gives one more, because its end is near.
func (p *process) alarms(a Alarm, now time.Time, figures []store.Figure) bool {
	e := store.Entry{Figures: figures}
	limit, ok := e.Figure(Limit)
	if !ok || limit <= 0 {
		return false
	}
	used, rest := float64(Used(&e)), float64(limit-Used(&e))
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.alarm
	cooling := !s.last.IsZero() && now.Sub(s.last) < a.Cooldown
	alarm := false
	switch {
	case cooling:
		if alarm = s.next > 0 && used >= s.next; alarm {
			s.next = 0
		}
	case used >= a.Share*float64(limit):
		alarm = true
		if s.last, s.next = now, 0; rest > 0 {
			s.next = used + rest/2
		}
	default:
		s.next = a.Share * float64(limit)
	}
	s.approach(now, used)
	return alarm
}

// approach notes the memory at a look. Between two regular looks, a process that leaks fast
// would pass the memory that gives an alarm, and be killed. So the next look is after half of
// the time that it takes to that memory with the present growth.
func (s *alarmState) approach(now time.Time, used float64) {
	// In less time than that, memory that grows in steps may stand still.
	if took := now.Sub(s.at); s.at.IsZero() || took >= soonest {
		if !s.at.IsZero() {
			s.growth = (used - s.used) / float64(took)
		}
		s.used, s.at = used, now
	}
	s.look = time.Time{}
	if s.growth <= 0 || used >= s.next {
		return
	}
	if half := (s.next - used) / s.growth / 2; half < float64(time.Hour) {
		s.look = now.Add(max(time.Duration(half), soonest))
	}
}

// next returns the time of the next look, which is a regular one at the latest.
func (p *process) next(regular, now time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if look := p.alarm.look; look.After(now) && look.Before(regular) {
		return look
	}
	return regular
}

// Used returns the memory of a process in bytes by its figures: its resident memory, or
// else the memory that Go holds; 0 if neither is known.
func Used(e *store.Entry) int64 {
	for _, name := range []string{RSS, Sys, Live} {
		if v, ok := e.Figure(name); ok {
			return v
		}
	}
	return 0
}
