package a

import (
	"net/http"
	"sync"
)

type session struct{ id string }

var sessions = map[string]*session{}

func begin(id string) *session {
	s := &session{id}
	sessions[id] = s // want `sessions only grows`
	return s
}

var byPath map[string]int

func handle(w http.ResponseWriter, r *http.Request) {
	if byPath == nil {
		byPath = map[string]int{}
	}
	byPath[r.URL.Path]++ // want `byPath only grows`
	byPath[r.URL.Path] += 2
}

var names []string

func seen(name string) {
	names = append(names, name) // want `names only grows`
}

var users sync.Map

func user(id int) any {
	v, _ := users.LoadOrStore(id, &session{}) // want `users only grows`
	return v
}

var stored sync.Map

func keep(id string) { stored.Store(id, id) } // want `stored only grows`

var cache = struct {
	sync.Mutex
	entries map[string][]byte
}{entries: map[string][]byte{}}

func get(key string, read func(string) []byte) []byte {
	cache.Lock()
	defer cache.Unlock()
	b, ok := cache.entries[key]
	if !ok {
		b = read(key)
		cache.entries[key] = b // want `entries only grows`
	}
	return b
}

var log struct{ lines []string }

func record(line string) { log.lines = append(log.lines, line) } // want `lines only grows`

var inClosure = map[int]bool{}

func handler() func(int) {
	return func(n int) { inClosure[n] = true } // want `inClosure only grows`
}

var inLoop = map[string]int{}

func count(words []string) {
	for i, w := range words {
		inLoop[w] = i // want `inLoop only grows`
	}
}

var inMethod = map[string]bool{}

func (s *session) note() { inMethod[s.id] = true } // want `inMethod only grows`

var inGoroutine = map[string]bool{}

func later(id string) {
	go func() { inGoroutine[id] = true }() // want `inGoroutine only grows`
}

var deferred []int

func end(n int) {
	defer func() { deferred = append(deferred, n) }() // want `deferred only grows`
}

var inBranch = map[string]int{}

func branch(s string) {
	switch {
	case len(s) > 3:
		inBranch[s] = 1 // want `inBranch only grows`
	}
}

var made = make(map[string]string)

func intern(b []byte) string {
	if s, ok := made[string(b)]; ok {
		return s
	}
	s := string(b)
	made[s] = s // want `made only grows`
	return s
}

type key struct{ host, path string }

var pages = map[key]int{}

func page(host, path string) { pages[key{host, path}] = 1 } // want `pages only grows`

var lists = map[string][]int{}

func push(k string, n int) { lists[k] = append(lists[k], n) } // want `lists only grows`

var read = map[string]int{}

func readAndFill(k string) int {
	n := len(read)
	for range read {
		n++
	}
	read[k] = n // want `read only grows`
	return n
}

var generic = map[string]any{}

func put[T any](k string, v T) { generic[k] = v } // want `generic only grows`

var pointers []*session

func track(s *session) { pointers = append(pointers, s, s) } // want `pointers only grows`

var swapped sync.Map

func swap(id string) any { // the former value comes back, the key stays
	old, _ := swapped.Swap(id, 1) // want `swapped only grows`
	return old
}
