package rules

import (
	"strings"
	"testing"
)

const parts = `package main

import (
	"strings"
	"sync"
)

type index struct {
	titles map[string]bool
	source string
	names  []string
}

func read() []byte { return make([]byte, 4096) }

func (x *index) add() {
	doc := read()
	head := doc[:16]
	x.titles[string(head[:4])] = true
	last = head
}

var last []byte

func (x *index) text(b []byte) {
	x.words(string(b))
}

func (x *index) words(s string) {
	for _, w := range strings.Fields(s) {
		x.titles[w] = true
	}
}

func (x *index) declare(i int) {
	x.insert(x.name(i))
}

func (x *index) insert(name string) {
	x.names = append(x.names, name)
}

func (x *index) name(i int) string { return x.source[i : i+4] }

var blocks sync.Map

func cut() {
	whole := read()
	for i := range 8 {
		blocks.Store(i, whole[512*i:512*i+512])
	}
}

func main() {}
`

// large makes the objects of the last heap profile 4 KiB.
func (s *scene) large() *scene {
	for _, h := range s.heaps {
		for _, sample := range h.Sample {
			sample.Value[1], sample.Value[3] = sample.Value[0]*4096, sample.Value[2]*4096
		}
	}
	return s
}

func TestRetention(t *testing.T) {
	t.Run("a part of what a call returned", func(t *testing.T) {
		s := newScene(t, parts)
		s.grow(s.frame("read", "make([]byte, 4096)")+s.frame("(*index).add", "doc := read()"), 1e4, 2e4, 3e4, 4e4).large()
		has(t, s.wants("retention", "head := doc[:16]").Title, "doc[:16], a part of doc, keeps the whole of it alive")
	})
	t.Run("a part that a container gets", func(t *testing.T) {
		s := newScene(t, parts)
		s.grow(s.frame("read", "make([]byte, 4096)")+s.frame("cut", "whole := read()"), 1e4, 2e4, 3e4, 4e4).large()
		f := s.wants("retention", "blocks.Store(i, whole")
		has(t, f.Title, "a part of whole, keeps the whole of it alive")
		has(t, f.Remedy, "bytes.Clone")
	})
	t.Run("parts of a text that is handed on", func(t *testing.T) {
		s := newScene(t, parts)
		s.grow(s.frame("(*index).text", "x.words(string(b))"), 1e4, 2e4, 3e4, 4e4).large()
		has(t, s.wants("retention", "x.titles[w] = true").Title, "w, a part of s, keeps the whole of it alive")
	})
	t.Run("beside a part of something else", func(t *testing.T) {
		s := newScene(t, parts)
		s.grow(s.frame("(*index).insert", "append(x.names, name)")+s.frame("(*index).declare", "x.insert(x.name(i))"), 1e4, 2e4, 3e4, 4e4).large()
		s.wantsNone("retention")
	})
	t.Run("small objects", func(t *testing.T) {
		s := newScene(t, parts)
		s.grow(s.frame("read", "make([]byte, 4096)")+s.frame("(*index).add", "doc := read()"), 1e4, 2e4, 3e4, 4e4)
		s.wantsNone("retention")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, parts).without()
		s.grow(s.frame("read", "make([]byte, 4096)")+s.frame("(*index).add", "doc := read()"), 1e4, 2e4, 3e4, 4e4).large()
		s.wantsNone("retention")
		has(t, strings.Join(s.notes, "\n"), "rule retention was not asked")
	})
}

const fields = `package main

import (
	"bytes"
	"encoding/csv"
	"io"
	"regexp"
)

var prices = map[string]string{}

func load(in *csv.Reader) {
	for {
		rec, err := in.Read()
		if err != nil {
			return
		}
		prices[rec[0]] = rec[3]
	}
}

func loadInto(in *csv.Reader) map[string]string {
	local := map[string]string{}
	for {
		row, err := in.Read()
		if err != nil {
			return local
		}
		local[row[0]] = row[3]
	}
}

type finding struct{ match string }

type report struct{ all []finding }

var secret = regexp.MustCompile("x")

func (r *report) scan(content []byte) {
	text := string(content)
	for _, m := range secret.FindAllStringSubmatch(text, -1) {
		r.all = append(r.all, finding{m[1]})
	}
}

type ring struct {
	latest [700]finding
	n      int
}

func (r *ring) scan(content []byte) {
	raw := string(content)
	for _, m := range secret.FindAllStringSubmatch(raw, -1) {
		r.latest[r.n%700] = finding{m[0]}
		r.n++
	}
}

type session struct{ extra []byte }

func handshake(r io.Reader) (*session, error) {
	frame := make([]byte, 4096)
	n, err := r.Read(frame)
	if err != nil {
		return nil, err
	}
	_, extra, _ := bytes.Cut(frame[:n], []byte("\n"))
	return &session{extra}, nil
}

func (r *report) count(content []byte) int {
	text := string(content)
	return len(secret.FindAllString(text, -1))
}

func main() {}
`

// Libraries hand out parts of one text: the finding is where a part is kept.
func TestPartsFromLibraries(t *testing.T) {
	t.Run("fields of a record", func(t *testing.T) {
		s := newScene(t, fields)
		s.grow("encoding/csv.(*Reader).readRecord@/go/src/encoding/csv/reader.go:9 encoding/csv.(*Reader).Read@/go/src/encoding/csv/reader.go:1 "+s.frame("load", "rec, err := in.Read()"), 1000).large()
		f := s.wants("retention", "prices[rec[0]] = rec[3]")
		has(t, f.Title, "a part of the record, keeps the whole of it alive")
		has(t, f.Remedy, "strings.Clone")
	})
	t.Run("in a map that is returned", func(t *testing.T) {
		s := newScene(t, fields)
		s.grow("encoding/csv.(*Reader).Read@/go/src/encoding/csv/reader.go:1 "+s.frame("loadInto", "row, err := in.Read()"), 1000).large()
		s.wants("retention", "local[row[0]] = row[3]")
	})
	t.Run("groups of a match", func(t *testing.T) {
		s := newScene(t, fields)
		s.grow(s.frame("(*report).scan", "text := string(content)"), 1000).large()
		s.wants("retention", "r.all = append(r.all")
	})
	t.Run("groups in an array", func(t *testing.T) {
		s := newScene(t, fields)
		s.grow(s.frame("(*ring).scan", "raw := string(content)"), 1000).large()
		f := s.wants("retention", "r.latest[r.n%700] = finding{m[0]}")
		has(t, f.Title, "m[0], a part of raw, keeps the whole of it alive")
	})
	t.Run("the rest of a frame", func(t *testing.T) {
		s := newScene(t, fields)
		s.grow(s.frame("handshake", "frame := make([]byte"), 1000).large()
		f := s.wants("retention", "return &session{extra}")
		has(t, f.Title, "extra, a part of frame, keeps the whole of it alive")
	})
	t.Run("matches that are counted", func(t *testing.T) {
		s := newScene(t, fields)
		s.lines = strings.Replace(fields, "text := string(content)", "", 1)
		s.grow(s.frame("(*report).count", "text := string(content)"), 1000).large()
		s.wantsNone("retention")
	})
}
