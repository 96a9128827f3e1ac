package a

import "github.com/heapwright/heapwright/arena"

type account struct{ balance int }

type ledger struct{ accounts *arena.Map[string, account] }

func (l *ledger) close(name string) int {
	x := l.accounts.At(name)
	if x == nil {
		return 0
	}
	l.accounts.Delete(name)
	return x.balance // want `x is used after its key was deleted in line 14`
}

func (l *ledger) closeAll(names []string) (sum int) {
	for _, name := range names {
		x := l.accounts.At(name)
		l.accounts.Clear()
		sum += x.balance // want `x is used after its key was deleted`
	}
	return sum
}

func (l *ledger) rounds(amounts []int) {
	x := l.accounts.At("x")
	for _, v := range amounts {
		if v < 0 {
			l.accounts.Delete("x")
			continue
		}
		x.balance += v // want `x is used after its key was deleted`
	}
}
