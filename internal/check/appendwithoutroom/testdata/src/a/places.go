package a

import "sync"

type response struct {
	items []string
	ages  []int
	total int
	mu    sync.Mutex
	inner struct{ items []string }
}

func (r *response) add(s string) { r.items = append(r.items, s) }

func fields(users []user) *response {
	r := &response{total: len(users)}
	for _, u := range users {
		r.items = append(r.items, u.name) // want `append grows r.items to a length`
		r.ages = append(r.ages, u.age)    // want `append grows r.ages to a length`
	}
	return r
}

func value(users []user) response {
	var r response
	for _, u := range users {
		r.items = append(r.items, u.name) // want `append grows r.items`
		r.total++
	}
	return r
}

func made(users []user) *response {
	r := new(response)
	for _, u := range users {
		r.items = append(r.items, u.name) // want `append grows r.items`
	}
	return r
}

func result(users []user) (names []string, err error) {
	for _, u := range users {
		names = append(names, u.name) // want `append grows names`
	}
	return names, nil
}

func resultLater(users []user) (names []string, err error) {
	if len(users) > 1000 {
		return nil, nil
	}
	for _, u := range users {
		names = append(names, u.name) // want `append grows names`
	}
	return
}

// Not reported from here on.

func given(users []user, items []string) *response {
	r := &response{items: items}
	for _, u := range users {
		r.items = append(r.items, u.name)
	}
	return r
}

func parameter(users []user, r *response) {
	for _, u := range users {
		r.items = append(r.items, u.name)
	}
}

func shared(users []user, see func(*response)) *response {
	r := &response{}
	for _, u := range users {
		r.items = append(r.items, u.name)
		see(r)
	}
	return r
}

func method(users []user) *response {
	r := &response{}
	for _, u := range users {
		r.items = append(r.items, u.name)
		r.add("")
	}
	return r
}

func addressed(users []user, see func(*[]string)) *response {
	r := &response{}
	for _, u := range users {
		r.items = append(r.items, u.name)
		see(&r.items)
	}
	return r
}

func inner(users []user) *response {
	r := &response{}
	for _, u := range users {
		r.inner.items = append(r.inner.items, u.name)
	}
	return r
}

func called(users []user, load func() *response) *response {
	r := load()
	for _, u := range users {
		r.items = append(r.items, u.name)
	}
	return r
}

func recovers(users []user, load func(user) string) (names []string) {
	defer func() { recover() }()
	for _, u := range users {
		names = append(names, load(u))
	}
	return names
}

func inBlock(users []user, ok bool) (names []string) {
	if ok {
		for _, u := range users {
			names = append(names, u.name)
		}
	}
	return names
}

func ofOuter(rows [][]user) (names []string) {
	each := func(users []user) {
		for _, u := range users {
			names = append(names, u.name)
		}
	}
	for _, row := range rows {
		each(row)
	}
	return names
}

func assigned(users []user, before []string) (names []string) {
	names = before
	for _, u := range users {
		names = append(names, u.name)
	}
	return names
}
