// Package bignum is a pair for big numbers that are made at each step: savings
// grow month by month, exact to thirty digits, because an auditor adds them up
// again. Before, each step makes the numbers that it results in; after,
// all steps write to the same three.
package bignum

import "math/big"

// account is a sum that was paid in some month and has borne interest since.
type account struct {
	cents int64
	since int
}

// scale is one, in numbers that have thirty digits after the point.
var scale = new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)

var (
	one  = big.NewInt(1)
	half = new(big.Int).Rsh(scale, 1)
)

// before returns the sum of all accounts at the end of the last month, and how
// many of them hold more than limit cents. The factors of the months are scaled.
func before(accounts []account, factors []*big.Int, limit int64) (total *big.Int, above int) {
	total = new(big.Int)
	most := scaled(limit)
	for _, a := range accounts {
		balance := scaled(a.cents)
		for _, factor := range factors[a.since:] {
			grown := new(big.Int).Mul(balance, factor)
			rest := new(big.Int)
			balance, rest = new(big.Int).QuoRem(grown, scale, rest)
			if rest.Cmp(half) >= 0 {
				balance.Add(balance, one)
			}
		}
		if balance.Cmp(most) > 0 {
			above++
		}
		total.Add(total, balance)
	}
	return total, above
}

func after(accounts []account, factors []*big.Int, limit int64) (total *big.Int, above int) {
	total = new(big.Int)
	most := scaled(limit)
	var grown, rest big.Int
	for _, a := range accounts {
		balance := scaled(a.cents)
		for _, factor := range factors[a.since:] {
			grown.Mul(balance, factor)
			balance.QuoRem(&grown, scale, &rest)
			if rest.Cmp(half) >= 0 {
				balance.Add(balance, one)
			}
		}
		if balance.Cmp(most) > 0 {
			above++
		}
		total.Add(total, balance)
	}
	return total, above
}

func scaled(cents int64) *big.Int {
	n := big.NewInt(cents)
	return n.Mul(n, scale)
}
