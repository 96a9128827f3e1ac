package trace

// maxParts bounds the parts of its waits that a goroutine keeps. In a longer queue for a
// lock, the first parts count as the last holder's.
const maxParts = 32

// part is a piece of a wait in which another goroutine held the shared thing. The site is
// the stack with which the holder released it, and away are the holder's absences.
type part struct {
	from, to int64
	holder   site
	away     away
}

// blame divides a wait by its holders, in the order of time. A goroutine that has
// queued for a lock holds it only since its own wait ended. Until then, the goroutines
// for which it waited held the lock, or kept it from releasing another.
func blame(since, now int64, holder site, by *goroutine) (parts []part) {
	at, gone := since, append(away(nil), by.away...) // the goroutine goes on to change its own
	for _, p := range by.behind {
		from, to := max(p.from, since), min(p.to, now)
		if from >= to {
			continue
		}
		if from > at {
			parts = append(parts, part{from: at, to: from, holder: holder, away: gone})
		}
		p.from, p.to = from, to
		parts = append(parts, p)
		at = to
	}
	if at < now {
		parts = append(parts, part{from: at, to: now, holder: holder, away: gone})
	}
	return parts
}

// waitedBehind keeps the parts of a goroutine's last wait. A lock may need several waits,
// because a goroutine that wakes can lose the lock to another.
func (g *goroutine) waitedBehind(parts []part) {
	parts = parts[max(0, len(parts)-maxParts):]
	if n := len(g.behind) + len(parts) - maxParts; n > 0 {
		g.behind = append(g.behind[:0], g.behind[n:]...)
	}
	g.behind = append(g.behind, parts...)
}
