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

// alarmState is when a process last gave an alarm.
type alarmState struct{ last time.Time }

// alarms reports whether these figures give an alarm: profiles are to be taken now, while
// the process lives. While it stays near its limit, one alarm follows another after the
// cooldown, so that the last profiles before its end are not older than that.
func (p *process) alarms(a Alarm, now time.Time, figures []store.Figure) bool {
	e := store.Entry{Figures: figures}
	limit, ok := e.Figure(Limit)
	used := Used(&e)
	if !ok || limit <= 0 || float64(used) < a.Share*float64(limit) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.alarm.last.IsZero() && now.Sub(p.alarm.last) < a.Cooldown {
		return false
	}
	p.alarm.last = now
	return true
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
