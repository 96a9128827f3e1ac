package rules

import (
	"strings"
	"testing"
)

const keepers = `package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
)

type msg struct{ text string }

type memStore struct {
	msgs map[int]*msg
	last []byte
	gz   *gzip.Writer
}

func (ms *memStore) storeMsg(seq int, text string) {
	sm := &msg{text}
	ms.msgs[seq] = sm
}

type node struct{ left, right *node }

func parse(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{parse(depth - 1), parse(depth - 1)}
}

func Parse(depth int) *node { return parse(depth) }

type sets struct{ a, b map[string]bool }

func newSets() sets {
	return sets{a: make(map[string]bool, 100), b: nil}
}

func compress(text []byte) []byte {
	b := make([]byte, 0, 2*len(text))
	return append(b, text...)
}

func (ms *memStore) render(text string) {
	var out bytes.Buffer
	out.WriteString(text)
	ms.last = out.Bytes()
}

func send(ch chan []byte, n int) {
	ch <- make([]byte, n)
}

func (ms *memStore) zip(w io.Writer, data []byte) {
	zw := gzip.NewWriter(w)
	ms.gz = zw
	zw.Write(data)
}

func encode(v any) ([]byte, error) {
	return json.Marshal(v)
}

func serve(ms *memStore) {
	ms.storeMsg(1, "x")
	Parse(3)
	newSets()
	compress(nil)
	ms.render("")
	send(nil, 1)
	ms.zip(nil, nil)
	encode(nil)
}

func main() {}
`

// No memory that is kept beyond a call is advised to be used again after it.
func TestNothingKeptIsUsedAgain(t *testing.T) {
	for _, c := range []struct {
		name, through, function, line, rule, kept string
	}{
		{"it is stored in a map of the receiver", "runtime.newobject", "(*memStore).storeMsg", "sm := &msg", "short-lived", "it is stored in ms.msgs at main.go:20"},
		{"returned as a tree", "runtime.newobject", "parse", "return &node", "short-lived", "it is returned by Parse"},
		{"returned as a struct", "internal/runtime/maps.NewMap", "newSets", "return sets{", "short-lived", "it is returned by newSets"},
		{"a buffer that is returned", "runtime.makeslice", "compress", "b := make", "request-buffer", "it is returned by compress"},
		{"a part of a buffer that is kept", "bytes.(*Buffer).WriteString", "(*memStore).render", "out.WriteString", "request-buffer", "it is stored in ms.last"},
		{"a buffer that is sent", "runtime.makeslice", "send", "ch <- make", "request-buffer", "it is sent on ch"},
		{"a writer that is kept", "compress/gzip.(*Writer).Write", "(*memStore).zip", "zw.Write", "encoder", "it is stored in ms.gz"},
		{"encoded bytes that are returned", "encoding/json.Marshal", "encode", "return json.Marshal", "encoder", "it is returned by encode"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, keepers)
			path := s.frame(c.function, c.line)
			if c.function == "parse" {
				path += s.frame("Parse", "func Parse")
			}
			s.churn(c.through, path)
			f := s.wants(c.rule, c.line)
			has(t, f.Remedy, c.kept)
			if f.Root != nil || strings.Contains(strings.ToLower(f.Example), "pool") || strings.Contains(f.Example, "short-lived") || strings.Contains(f.Example, "[:0]") {
				t.Errorf("root %+v\n%s\n%s", f.Root, f.Remedy, f.Example)
			}
		})
	}
}

// A map is no batch of objects.
func TestFewerMaps(t *testing.T) {
	s := newScene(t, keepers)
	s.churn("internal/runtime/maps.NewMap", s.frame("newSets", "return sets{"))
	f := s.wants("short-lived", "return sets{")
	has(t, f.Remedy, "a slice where the keys are few or dense")
	if strings.Contains(f.Example, "batch") {
		t.Errorf("the example is %s", f.Example)
	}
}

// Nor is it where no source names its keeper.
func TestNothingIsUsedAgainWithoutSource(t *testing.T) {
	s := newScene(t, keepers).without()
	s.churn("runtime.newobject", s.frame("(*memStore).storeMsg", "sm := &msg"))
	f := s.wants("short-lived", "sm := &msg")
	has(t, f.Remedy, "Find out which reference keeps")
	if f.Root != nil {
		t.Errorf("root %+v", f.Root)
	}
}
