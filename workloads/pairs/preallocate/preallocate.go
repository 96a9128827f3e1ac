// Package preallocate is a pair for the rule on slices that grow by append:
// rows that come sorted by order are gathered into orders. Before, the lines
// of each order grow from nothing, although the first row says how many there
// are; after, they have room for all.
package preallocate

// row is a row of a query's result.
type row struct {
	order, count int // the order of the row, and how many rows it has
	sku          string
	quantity     int
	cents        int
}

// line is a row without the fields of its order.
type line struct {
	sku             string
	quantity, cents int
	total           int
}

type order struct {
	id    int
	lines []line
	total int
}

func before(rows []row) []order {
	var orders []order
	for len(rows) > 0 {
		id, n := rows[0].order, rows[0].count
		var lines []line
		for _, r := range rows[:n] {
			lines = append(lines, priced(r)) // want: append-without-room
		}
		orders = append(orders, sum(id, lines))
		rows = rows[n:]
	}
	return orders
}

func after(rows []row) []order {
	var orders []order
	for len(rows) > 0 {
		id, n := rows[0].order, rows[0].count
		lines := make([]line, 0, n)
		for _, r := range rows[:n] {
			lines = append(lines, priced(r))
		}
		orders = append(orders, sum(id, lines))
		rows = rows[n:]
	}
	return orders
}

func priced(r row) line {
	total := r.quantity * r.cents
	if r.quantity >= 10 {
		total -= total / 20 // rebate
	}
	return line{sku: r.sku, quantity: r.quantity, cents: r.cents, total: total}
}

func sum(id int, lines []line) order {
	o := order{id: id, lines: lines}
	for _, l := range lines {
		o.total += l.total
	}
	return o
}
