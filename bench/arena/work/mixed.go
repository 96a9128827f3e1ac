package work

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

// Mixed makes objects of five types in turn, with pointers to one another and
// to strings of the heap, holds them all, walks them and drops them.
const Mixed = "mixed"

const mixedGroups = 200 // groups of 5 objects

type (
	order struct {
		customer *customer
		first    *item
		before   *order
		number   int
	}
	customer struct {
		name, mail string
		home       *address
	}
	address struct {
		street, city string
		code         int
	}
	item struct {
		product *product
		count   int
	}
	product struct {
		name  string
		price int
		tags  []string
	}
)

// heapStrings live on the heap, to which every object may point.
var heapStrings = []string{string([]byte("Ada Lovelace")), string([]byte("ada@example.org"))}

// keptOrders is global, so that the objects escape from every contestant.
var keptOrders *order

// link fills a group and appends it to the list.
//
//go:noinline
func link(n int, o *order, c *customer, a *address, i *item, p *product) {
	o.customer, o.first, o.before, o.number = c, i, keptOrders, n
	c.name, c.mail, c.home = heapStrings[0], heapStrings[1], a
	a.city, a.code = heapStrings[0], n
	i.product, i.count = p, 1
	p.name, p.price, p.tags = heapStrings[1], n, heapStrings
	keptOrders = o
}

// settle walks the list, and ends it.
//
//go:noinline
func settle() (sum uint64) {
	for o := keptOrders; o != nil; o = o.before {
		sum += uint64(o.number + o.customer.home.code + o.first.count*o.first.product.price +
			len(o.customer.name) + len(o.first.product.tags) + len(o.customer.home.street))
	}
	keptOrders = nil
	return sum
}

func init() {
	add(Mixed, Heap, mixedOnHeap)
	add(Mixed, Pool, func() Loop { return looped(mixedInPools) })
	add(Mixed, Floor, mixedInArrays)
	add(Mixed, Cleared, func() Loop {
		fill := mixedInArrays()
		return looped(func() uint64 {
			defer func() { *groups = groupArrays{} }()
			return fill(1)
		})
	})
	add(Mixed, Slab, mixedInSlabs)
	add(Mixed, Ours, func() Loop { return reset(mixedIn) })
}

func mixedOnHeap() Loop {
	return looped(func() uint64 {
		for g := range mixedGroups {
			link(g, new(order), new(customer), new(address), new(item), new(product))
		}
		return settle()
	})
}

func mixedIn(a *arena.Arena) uint64 {
	for g := range mixedGroups {
		link(g, arena.New[order](a), arena.New[customer](a), arena.New[address](a),
			arena.New[item](a), arena.New[product](a))
	}
	return settle()
}

func mixedInSlabs() Loop {
	a := arena.NewArena()
	orders, customers, addresses := arena.NewSlab[order](a), arena.NewSlab[customer](a), arena.NewSlab[address](a)
	items, products := arena.NewSlab[item](a), arena.NewSlab[product](a)
	return looped(func() uint64 {
		for g := range mixedGroups {
			link(g, orders.New(), customers.New(), addresses.New(), items.New(), products.New())
		}
		defer a.Reset()
		return settle()
	})
}

var (
	orderPool    = sync.Pool{New: func() any { return new(order) }}
	customerPool = sync.Pool{New: func() any { return new(customer) }}
	addressPool  = sync.Pool{New: func() any { return new(address) }}
	itemPool     = sync.Pool{New: func() any { return new(item) }}
	productPool  = sync.Pool{New: func() any { return new(product) }}
)

func mixedInPools() uint64 {
	for g := range mixedGroups {
		link(g, orderPool.Get().(*order), customerPool.Get().(*customer), addressPool.Get().(*address),
			itemPool.Get().(*item), productPool.Get().(*product))
	}
	list := keptOrders
	sum := settle()
	for o := list; o != nil; {
		before := o.before
		recycle(&addressPool, o.customer.home)
		recycle(&customerPool, o.customer)
		recycle(&productPool, o.first.product)
		recycle(&itemPool, o.first)
		recycle(&orderPool, o)
		o = before
	}
	return sum
}

func recycle[T any](pool *sync.Pool, p *T) {
	var zero T
	*p = zero
	pool.Put(p)
}

// The floor: an array for each type, and an integer for all.
type groupArrays struct {
	orders    [mixedGroups]order
	customers [mixedGroups]customer
	addresses [mixedGroups]address
	items     [mixedGroups]item
	products  [mixedGroups]product
	used      int
}

// groups is made by the contestants that use it: it would be a root in others.
var groups *groupArrays

func mixedInArrays() Loop {
	groups = new(groupArrays)
	return looped(func() uint64 {
		groups.used = 0
		for g := range mixedGroups {
			i := groups.used
			groups.used++
			link(g, &groups.orders[i], &groups.customers[i], &groups.addresses[i], &groups.items[i], &groups.products[i])
		}
		return settle()
	})
}
