// Package boundedcache is a pair for the rule on maps that grow without bound:
// a service remembers the sessions of its visitors, of whom most never come
// back. Before, it remembers all that there ever were, and every collection
// marks them; after, the ones seen last, in a bounded LRU. That saves memory. It
// saves little CPU: a smaller heap takes less marking, but is marked more often.
package boundedcache

import (
	"fmt"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

// session is small and has pointers, as sessions do.
type session struct {
	user   *user
	visits []*visit
}

type user struct{ name string }

type visit struct{ path string }

func newSession(id int) *session {
	s := &session{user: &user{fmt.Sprintf("user-%d", id)}}
	for i := range 4 {
		s.visits = append(s.visits, &visit{fmt.Sprintf("/articles/%d", id+i)})
	}
	return s
}

// cache is where sessions are remembered.
type cache interface {
	get(id int) (*session, bool)
	add(id int, s *session)
}

type before map[int]*session

func newBefore() cache { return before{} }

func (c before) get(id int) (*session, bool) {
	s, ok := c[id]
	return s, ok
}

func (c before) add(id int, s *session) {
	c[id] = s // want: unbounded-growth
}

// remembered is more than the visitors who come back.
const remembered = 4096

type after struct{ *lru.Cache[int, *session] }

func newAfter() cache {
	c, err := lru.New[int, *session](remembered)
	if err != nil {
		panic(err) // remembered is above zero
	}
	return after{c}
}

func (c after) get(id int) (*session, bool) { return c.Get(id) }
func (c after) add(id int, s *session)      { c.Add(id, s) }

// page answers a visitor.
func page(c cache, id int) string {
	s, ok := c.get(id)
	if !ok {
		s = newSession(id)
		c.add(id, s)
	}
	var b strings.Builder
	b.WriteString("<h1>")
	b.WriteString(s.user.name)
	b.WriteString("</h1>\n")
	for _, v := range s.visits {
		b.WriteString("<a href=\"")
		b.WriteString(v.path)
		b.WriteString("\">again</a>\n")
	}
	return b.String()
}
