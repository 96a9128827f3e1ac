// Package sentinel is a pair for errors that are made though nobody reads them:
// a page shows the profiles of its users, from a small store of popular ones and
// from a large one behind it. Before, each miss of a store is an error with a text of
// its own; after, it is always the same one, for the caller knows the key.
package sentinel

import (
	"errors"
	"fmt"
	"strconv"
)

var errMissing = errors.New("no such profile")

// profile is a user as the page shows it.
type profile struct {
	name   string
	avatar string
	score  int
}

// store has profiles by the name of the user.
type store struct {
	name string
	rows map[string]*profile
	// hidden are users who must not be shown.
	hidden map[string]bool
}

// lookup returns the profile of a user.
type lookup func(s *store, user string) (*profile, error)

// before is a lookup.
func before(s *store, user string) (*profile, error) {
	p, ok := s.rows[user]
	if !ok || s.hidden[user] {
		return nil, fmt.Errorf("%s: %w: %q", s.name, errMissing, user)
	}
	return p, nil
}

func after(s *store, user string) (*profile, error) {
	p, ok := s.rows[user]
	if !ok || s.hidden[user] {
		return nil, errMissing
	}
	return p, nil
}

// render appends a page of the users. It asks the stores one after another.
func render(page []byte, get lookup, stores []*store, users []string) ([]byte, error) {
	for _, user := range users {
		p, err := find(get, stores, user)
		if errors.Is(err, errMissing) {
			page = append(page, "<li class=unknown>"...)
			page = append(appendText(page, user), "</li>\n"...)
			continue
		}
		if err != nil {
			return page, err
		}
		page = append(page, "<li><img src="...)
		page = append(appendText(page, p.avatar), '>')
		page = append(appendText(page, p.name), " <b>"...)
		page = append(strconv.AppendInt(page, int64(p.score), 10), "</b></li>\n"...)
	}
	return page, nil
}

// appendText appends text as HTML needs it.
func appendText(page []byte, text string) []byte {
	for _, c := range []byte(text) {
		switch c {
		case '<':
			page = append(page, "&lt;"...)
		case '&':
			page = append(page, "&amp;"...)
		default:
			page = append(page, c)
		}
	}
	return page
}

func find(get lookup, stores []*store, user string) (*profile, error) {
	err := errMissing
	for _, s := range stores {
		var p *profile
		if p, err = get(s, user); err == nil {
			return p, nil
		}
		if !errors.Is(err, errMissing) {
			return nil, err
		}
	}
	return nil, err
}
