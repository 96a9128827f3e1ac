package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// errNotAllowed means that the token may not comment. Jobs of pull requests from
// forks get such a token, so it is no failure.
var errNotAllowed = errors.New("the token may not comment")

// pageSize is the largest page that both hosts serve.
const pageSize = 100

// maxPages bounds the search: no request has that many comments.
const maxPages = 100

// account is the author of a comment. GitHub has a login and a type, GitLab a
// username.
type account struct{ Login, Type, Username string }

type comment struct {
	ID           int64
	Body         string
	User, Author account // GitHub says user, GitLab author
}

// marker is the first line of a comment. It is an HTML comment, so nobody sees it.
func marker(name string) (string, error) {
	plain := func(r rune) bool {
		return r == ' ' || r == '-' || r == '_' || r == '/' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if name == "" || len(name) > 100 || strings.Contains(name, "--") || strings.TrimFunc(name, plain) != "" {
		return "", fmt.Errorf("-name %q: give at most 100 letters, digits, spaces and any of - _ / . but no --", name)
	}
	return "<!-- heapwright: " + name + " -->", nil
}

// put writes the comment that begins with mark, and reports whether it wrote a new
// one.
func put(ctx context.Context, h *host, mark, body string) (done string, err error) {
	if h.token == "" {
		return "", fmt.Errorf("%w: there is none", errNotAllowed)
	}
	mine, err := h.own(ctx)
	if err != nil {
		return "", err
	}
	for page := 1; page <= maxPages; page++ {
		var comments []comment
		if err := h.do(ctx, http.MethodGet, fmt.Sprintf("%s?per_page=%d&page=%d", h.comments, pageSize, page), nil, &comments); err != nil {
			return "", err
		}
		for _, c := range comments {
			if first, _, _ := strings.Cut(c.Body, "\n"); strings.TrimSpace(first) != mark || !mine(c) {
				continue
			}
			err := h.do(ctx, h.replace, fmt.Sprintf("%s/%d", h.edit, c.ID), &comment{Body: body}, nil)
			if !errors.Is(err, errNotAllowed) { // otherwise the comment belongs to another app
				return "updated", err
			}
		}
		if len(comments) < pageSize {
			break
		}
	}
	return "wrote", h.do(ctx, http.MethodPost, h.comments, &comment{Body: body}, nil)
}

// own returns a test for comments of the token's account. Anybody can write a
// comment with the marker and edit it later; such a comment is left alone.
func (h *host) own(ctx context.Context) (func(comment) bool, error) {
	var me account
	err := h.do(ctx, http.MethodGet, h.api+"/user", nil, &me)
	switch {
	case errors.Is(err, errNotAllowed):
		// The token of a job belongs to an app, and apps have no user. The host refuses
		// to let it edit the comments of other apps.
		return func(c comment) bool { return c.User.Type == "Bot" }, nil
	case err != nil:
		return nil, err
	}
	return func(c comment) bool {
		return me.Login+me.Username != "" && c.User.Login == me.Login && c.Author.Username == me.Username
	}, nil
}
