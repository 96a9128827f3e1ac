// Package lent lends pooled contexts to handlers, which can call their methods.
package lent

import "sync"

type Context struct {
	path  string
	serve func(*Context)
}

var contexts = sync.Pool{New: func() any { return new(Context) }}

func run(c *Context) { c.serve(c) }

func put(c *Context) {
	c.path = ""
	contexts.Put(c)
}

func Serve(path string, handler func(*Context)) {
	c := contexts.Get().(*Context)
	c.path, c.serve = path, handler
	run(c)
	put(c)
}

// Redirect can only be called by a handler.
func (c *Context) Redirect(path string) {
	c.path = path
	run(c)
	put(c) // want `Redirect gives its receiver back to the pool, but Serve, which lends it to those who call Redirect, does so as well`
}

// Finish may leave the value to Serve.
func (c *Context) Finish() {
	if c.path == "" {
		return
	}
	put(c)
}

// Work is done by a function that puts the work only if nobody else does.
type Work struct{ kept bool }

var works = sync.Pool{New: func() any { return new(Work) }}

func Do(f func(*Work)) {
	w := works.Get().(*Work)
	f(w)
	if !w.kept {
		works.Put(w)
	}
}

func (w *Work) Keep() { w.kept = true }

func (w *Work) Release() { works.Put(w) }

// Job belongs to whoever takes it.
type Job struct{ n int }

var jobs = sync.Pool{New: func() any { return new(Job) }}

func Take() *Job { return jobs.Get().(*Job) }

func Each(f func(*Job)) {
	j := jobs.Get().(*Job)
	f(j)
	jobs.Put(j)
}

func (j *Job) Release() { jobs.Put(j) }

// Page is released by the function that lends it.
type Page struct{ n int }

var pages = sync.Pool{New: func() any { return new(Page) }}

func Read(f func(*Page)) {
	p := pages.Get().(*Page)
	defer p.Release()
	f(p)
}

func (p *Page) Release() { pages.Put(p) }
