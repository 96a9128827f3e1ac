// Package closure is a pair for functions that are made per iteration: the lines
// of a dashboard are sums over ranges of a table of payments, which calls back
// for each row. Before, each line has a function of its own, and the sums that it
// writes to are objects with it; after, one function serves all lines.
package closure

import "sort"

// payment is a row of the table.
type payment struct {
	at      int64
	cents   int64
	country string
}

// table calls back for rows, as databases do.
type table interface {
	// ascend calls each for the rows from a time on, until it returns false.
	ascend(from int64, each func(*payment) bool)
}

// line is one of a dashboard: payments in a range of time, perhaps of one country.
type line struct {
	from, to int64
	country  string
}

// sums are the results of a line.
type sums struct {
	count, cents, refunded int64
}

func before(t table, lines []line, results []sums) {
	for i, l := range lines {
		var s sums
		t.ascend(l.from, func(p *payment) bool {
			if p.at >= l.to {
				return false
			}
			if l.country == "" || l.country == p.country {
				s.add(p)
			}
			return true
		})
		results[i] = s
	}
}

func after(t table, lines []line, results []sums) {
	var l line
	var s sums
	each := func(p *payment) bool {
		if p.at >= l.to {
			return false
		}
		if l.country == "" || l.country == p.country {
			s.add(p)
		}
		return true
	}
	for i := range lines {
		l, s = lines[i], sums{}
		t.ascend(l.from, each)
		results[i] = s
	}
}

func (s *sums) add(p *payment) {
	s.count++
	if p.cents < 0 {
		s.refunded -= p.cents
		return
	}
	s.cents += p.cents
}

// rows is a table in memory, whose rows are sorted by time.
type rows []*payment

func (r rows) ascend(from int64, each func(*payment) bool) {
	for i := sort.Search(len(r), func(i int) bool { return r[i].at >= from }); i < len(r); i++ {
		if !each(r[i]) {
			return
		}
	}
}
