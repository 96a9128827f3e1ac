package markdown

import (
	"sync"

	"github.com/gomarkdown/markdown/ast"
	"github.com/gomarkdown/markdown/parser"
	"github.com/heapwright/heapwright/arena"
)

// A Site renders documents, and remembers the longest.
type Site struct {
	Extensions parser.Extensions
	Titles     chan string // of the documents, if somebody asks for them

	mu      sync.Mutex
	longest []byte
}

// Pages renders documents, each worker with an arena of its own.
func (s *Site) Pages(docs [][]byte, workers int) [][]byte {
	pages := make([][]byte, len(docs))
	next := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			a := trees.Get()
			defer a.Free()
			for i := range next {
				pages[i] = toHTML(a, docs[i], parser.NewWithExtensions(s.Extensions).In(a), nil)
				s.remember(a, docs[i])
				a.Reset()
				if s.Titles != nil {
					s.announce(docs[i])
				}
			}
		})
	}
	for i := range docs {
		next <- i
	}
	close(next)
	group.Wait()
	return pages
}

// remember keeps the text of a document without its carriage returns.
func (s *Site) remember(a *arena.Arena, doc []byte) {
	text := arena.NewBuffer(a, len(doc))
	for _, c := range doc {
		if c != '\r' {
			text.WriteByte(c)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if text.Len() > len(s.longest) {
		s.longest = arena.Clone(text.Bytes())
	}
}

// announce sends the text of a document's first heading.
func (s *Site) announce(doc []byte) {
	a := trees.Get()
	title := ""
	if h := heading(Parse(doc, parser.New().In(a))); h != nil {
		title = text(a, h)
	}
	s.Titles <- arena.Clone(title)
	a.Free()
}

// Longest returns the text of the longest document.
func (s *Site) Longest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.longest)
}

// Outline returns the headings of a document.
func Outline(doc []byte) []string {
	a := trees.Get()
	defer a.Free()
	var titles []string
	for _, title := range headings(a, doc) {
		titles = append(titles, arena.Clone(title))
	}
	return titles
}

// FirstHeading returns the first heading of a document, nil if there is none.
func FirstHeading(doc []byte) *ast.Heading {
	a := trees.Get()
	defer a.Free()
	h := heading(Parse(doc, parser.New().In(a)))
	if h == nil {
		return nil
	}
	h.Parent = nil
	return arena.Promote(h)
}

func heading(doc ast.Node) *ast.Heading {
	for _, n := range doc.GetChildren() {
		if h, ok := n.(*ast.Heading); ok {
			return h
		}
	}
	return nil
}

// Plain returns the text of a document.
func Plain(doc []byte) string {
	a := trees.Get()
	defer a.Free()
	return arena.Clone(text(a, Parse(doc, parser.New().In(a))))
}

func headings(a *arena.Arena, doc []byte) []string {
	titles := arena.MakeSlice[string](a, 0, 8)
	for _, n := range Parse(doc, parser.New().In(a)).GetChildren() {
		if h, ok := n.(*ast.Heading); ok {
			titles = arena.Append(a, titles, text(a, h))
		}
	}
	return titles
}

func text(a *arena.Arena, n ast.Node) string {
	b := arena.NewBuffer(a, 0)
	ast.WalkFunc(n, func(n ast.Node, entering bool) ast.WalkStatus {
		if leaf := n.AsLeaf(); leaf != nil && entering {
			b.Write(leaf.Literal)
		}
		return ast.GoToNext
	})
	return b.String()
}
