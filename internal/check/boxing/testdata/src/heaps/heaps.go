// Package heaps has heaps of values for container/heap.
package heaps

import "container/heap"

type job struct {
	at   int64
	name string
}

// queue has all methods in their usual form.
type queue []job

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at && q[i].name != "" }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(job)) }

// Pop is for package heap.
func (q *queue) Pop() any {
	old := *q
	n := len(old)
	x := old[n-1]
	old[n-1] = job{}
	*q = old[0 : n-1]
	return x // want `Pop puts each item into an interface, and callers take it out: a method for the type boxes nothing`
}

type server struct{ jobs queue }

func (s *server) run(more []job) (last job) {
	for _, j := range more {
		heap.Push(&s.jobs, j) // want `boxes j`
	}
	q := &s.jobs
	heap.Init(q)
	for q.Len() > 0 {
		last = heap.Pop(q).(job)
	}
	if j, ok := heap.Pop(&s.jobs).(job); ok {
		return j
	}
	return heap.Pop(&s.jobs).(job)
}

// ints has Pop in another form, and its Push does more.
type ints struct{ small }

type small []int

var pushed int

func (s small) Len() int           { return len(s) }
func (s small) Less(i, j int) bool { return s[i] < s[j] }
func (s small) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *small) Push(x any)        { pushed++; *s = append(*s, x.(int)) }
func (s *small) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last // want `Pop puts`
}

func least(s *small) int {
	heap.Push(s, 7)
	return heap.Pop(s).(int) + 1
}

// chatty looks at more than the items: at the length, which Pop changes.
type chatty []string

func (c chatty) Len() int           { return len(c) }
func (c chatty) Less(i, j int) bool { return len(c) > 9 || c[i] < c[j] }
func (c chatty) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *chatty) Push(x any)        { *c = append(*c, x.(string)) }
func (c *chatty) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last // want `Pop puts`
}

func shortest(c *chatty) string { return heap.Pop(c).(string) }

// risky compares what may panic.
type risky []struct{ p *int }

func (r risky) Len() int           { return len(r) }
func (r risky) Less(i, j int) bool { return *r[i].p < *r[j].p }
func (r risky) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *risky) Push(x any)        { *r = append(*r, x.(struct{ p *int })) }
func (r *risky) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

func any1(r *risky) *int { return heap.Pop(r).(struct{ p *int }).p }

// counted does more in Pop.
type counted []job

var popped int

func (c counted) Len() int           { return len(c) }
func (c counted) Less(i, j int) bool { return c[i].at < c[j].at }
func (c counted) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *counted) Push(x any)        { *c = append(*c, x.(job)) }
func (c *counted) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	popped++
	return last
}

func first(c *counted) job { return heap.Pop(c).(job) }

// taken has a method of the name.
type taken []job

func (t taken) Len() int           { return len(t) }
func (t taken) Less(i, j int) bool { return t[i].at < t[j].at }
func (t taken) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t taken) popItem()           {}
func (t *taken) Push(x any)        { *t = append(*t, x.(job)) }
func (t *taken) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last // want `Pop puts`
}

func take(t *taken) job { return heap.Pop(t).(job) }

// unused pops for nobody, and pointers are not boxed.
type unused []*job

func (u unused) Len() int           { return len(u) }
func (u unused) Less(i, j int) bool { return u[i].at < u[j].at }
func (u unused) Swap(i, j int)      { u[i], u[j] = u[j], u[i] }
func (u *unused) Push(x any)        { *u = append(*u, x.(*job)) }
func (u *unused) Pop() any {
	last := (*u)[len(*u)-1]
	*u = (*u)[:len(*u)-1]
	return last
}

func pointer(u *unused) *job { return heap.Pop(u).(*job) }
