package flow

import (
	"strings"
	"testing"
)

const messages = `package fates

import "context"

type message struct {
	name string
	raw  []byte
	sub  *message
	all  []*message
}

func (m *message) ProtoReflect() int { return 0 }

func (m *message) GetSub() *message { return m.sub }

type server struct {
	names []string
	raw   [][]byte
	last  *message
	byID  map[string]*message
	queue chan *message
	hook  func(*message)
}

type stream interface {
	Recv() (*message, error)
	SetTrailer()
}

var _ context.Context
`

func TestRequestsDie(t *testing.T) {
	t.Parallel()
	const method = "func (s *server) Do(ctx context.Context, r *message) (*message, error) {"
	for _, test := range []struct{ name, code, kept string }{
		{"reads", method + "n := 0\nfor _, m := range r.all { n += len(m.name) }\nreturn &message{name: string(rune(n))}, nil }", ""},
		{"answers with a part of it", method + "return r.GetSub(), nil }", ""},
		{"keeps text", method + "s.names = append(s.names, r.sub.name)\ns.raw = append(s.raw, r.raw)\nreturn nil, nil }", ""},
		{"keeps it", method + "s.last = r\nreturn nil, nil }", "the request of fates.(*server).Do is kept: it is stored in s.last"},
		{"keeps a part", method + "s.byID[r.name] = r.GetSub()\nreturn nil, nil }", "stored in s.byID"},
		{"keeps a part of a part", method + "for _, m := range r.all { s.last = m.sub }\nreturn nil, nil }", "stored in s.last"},
		{"keeps it in another function", method + "s.add(r)\nreturn nil, nil }\nfunc (s *server) add(m *message) { s.byID[m.name] = m }", "stored in s.byID"},
		{"hands it on", method + "s.queue <- r\nreturn nil, nil }", "sent on s.queue"},
		{"goes on in a goroutine", method + "go func() { println(r.name) }()\nreturn nil, nil }", "goroutine"},
		{"by value", strings.Replace(method, "*server", "server", 1) + "s.byID[r.name] = r\nreturn nil, nil }", "stored in s.byID"},
		{"calls back", method + "s.hook(r.sub)\nreturn nil, nil }", "? the request of fates.(*server).Do may be kept: it is passed to a function value, which is not followed,"},
		{"calls back and keeps", method + "s.hook(r.sub)\ns.last = r\nreturn nil, nil }", "stored in s.last"},
		{"streams", method + "return nil, nil }\nfunc (s *server) Stream(in stream) error { return nil }", "fates.(*server).Stream receives a stream"},
		{"none", "", "none of its handlers"},
		{"none, in a library", "package", "the profiles do not show its package main"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(messages, "package fates", "package main", 1) + test.code + "\nfunc main() {}\n"
			if test.code == "package" {
				text = messages
			}
			p, _ := programOf(t, text)
			kept, unsure := strings.CutPrefix(test.kept, "? ")
			if f := p.RequestsDie(); f.Dies != (kept == "") || !strings.Contains(f.Kept, kept) || f.Unsure != unsure || unsure && !f.Unknown {
				t.Errorf("%+v; want %q", f, test.kept)
			}
		})
	}
}
