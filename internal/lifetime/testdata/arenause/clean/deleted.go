package clean

import "github.com/heapwright/heapwright/arena"

type account struct{ balance int }

type ledger struct{ accounts *arena.Map[string, account] }

func (l *ledger) close(name string) int {
	x := l.accounts.At(name)
	if x == nil {
		return 0
	}
	n := x.balance
	l.accounts.Delete(name)
	return n
}

func (l *ledger) move(from, to string) {
	x, y := l.accounts.At(from), l.accounts.At(to)
	n := x.balance
	l.accounts.Delete(from)
	y.balance += n
}

func (l *ledger) rounds(names []string) (sum int) {
	for _, name := range names {
		x := l.accounts.At(name)
		sum += x.balance
		l.accounts.Delete(name)
	}
	return sum
}

func (l *ledger) looksAgain(name string, amounts []int) {
	x := l.accounts.At(name)
	for _, v := range amounts {
		if v < 0 {
			l.accounts.Delete(name)
			l.accounts.Set(name, account{})
			x = l.accounts.At(name)
		}
		x.balance += v
	}
}

// The buffer has room for all words before the first checkpoint.
func quoted(a *arena.Arena, words []string) string {
	room := 0
	for _, w := range words {
		room += len(w) + 2
	}
	out := arena.NewBuffer(a, room)
	for _, w := range words {
		scratch := a.Mark()
		out.WriteString(arena.Concat(a, "'", w, "'"))
		a.ResetTo(scratch)
	}
	return out.String()
}
