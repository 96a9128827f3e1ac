// Package smallset is a pair for maps that are small sets: each order is split
// into a parcel per warehouse that has something of it. Before, a map has the
// warehouses that were seen; after, a slice that is kept, and scanned.
package smallset

import "slices"

// line is a line of an order.
type line struct {
	article  uint32
	quantity int32
	grams    int32
}

// cost is the freight of an order.
type cost struct {
	parcels int
	cents   int
}

// before returns the freight of all orders: each parcel costs a fee, and each
// line by its weight. The warehouse of an article is in stock.
func before(orders [][]line, stock []uint16) cost {
	var all cost
	for _, order := range orders {
		seen := make(map[uint16]bool, len(order))
		for _, l := range order {
			seen[stock[l.article]] = true
			all.cents += freight(l)
		}
		all.parcels += len(seen)
	}
	all.cents += 290 * all.parcels
	return all
}

func after(orders [][]line, stock []uint16) cost {
	var all cost
	var seen []uint16
	for _, order := range orders {
		seen = seen[:0]
		for _, l := range order {
			if w := stock[l.article]; !slices.Contains(seen, w) {
				seen = append(seen, w)
			}
			all.cents += freight(l)
		}
		all.parcels += len(seen)
	}
	all.cents += 290 * all.parcels
	return all
}

// freight is the price of a line: so much per started 100 grams, but not without end.
func freight(l line) int {
	return int(min(5+4*((l.grams*l.quantity+99)/100), 900))
}
