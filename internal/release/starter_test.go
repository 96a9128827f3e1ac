package release

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const library = `package lib

type Cache[K comparable] struct{ stop chan bool }

func New[K comparable]() *Cache[K] { return newCache[K](true) }

func NewWithout[K comparable]() *Cache[K] { return &Cache[K]{} }

func newCache[K comparable](sweep bool) *Cache[K] {
	c := &Cache[K]{}
	if sweep {
		c.begin()
	}
	return c
}

func (c *Cache[K]) begin() { go c.sweep() }

func (c *Cache[K]) sweep() { <-c.stop }

func Watch() {
	go func() { select {} }()
}

type group struct{}

func (group) Go(f func()) { go f() }

func Each(g group) { g.Go(work) }

func work() { select {} }
`

func TestStarters(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lib.go"), []byte(library), 0o666); err != nil {
		t.Fatal(err)
	}
	for symbol, want := range map[string]string{
		"ex.com/lib.(*Cache[go.shape.string]).sweep": "[[New]]",
		"ex.com/lib.Watch.func1":                     "[[Watch]]",
		"ex.com/lib.Watch.gowrap1":                   "[[Watch]]",
		"ex.com/lib.work":                            "[[Each]]",
		"ex.com/lib.unknown":                         "[]",
		"":                                           "[]",
	} {
		if got := fmt.Sprint(Starters(dir, symbol)); got != want {
			t.Errorf("%s is started by %s, want %s", symbol, got, want)
		}
	}
	if got := Starters("", "ex.com/lib.work"); len(got) != 0 {
		t.Errorf("without a folder: %v", got)
	}
}
