// Package flame draws profiles: stacks become a tree of calls, and the tree becomes an
// SVG, which needs no script, or an HTML page to explore.
//
// The stance: the drawing adds up. Every figure equals the one of go tool pprof -top on the
// same samples, boxes too small to draw are counted, and the caller is above the callee in
// every view. Names come from untrusted programs, so they are only shown. A page is one
// file that loads nothing.
package flame

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Options choose the part of a profile to draw. The zero value draws all of it.
type Options struct {
	Title string // the heading; "" is the profile's name
	Type  string // the sample type shown first; "" is pprof's default
	// Base is a profile to compare with. It must share the profile's Dict. Only
	// sample types that both have are kept.
	Base *profile.Profile
	// Normalized scales the base to the profile's total, for recordings of
	// different lengths.
	Normalized bool
	// Focus keeps stacks with a frame whose function, file or binary matches.
	// Ignore drops such stacks. Without them all stacks are kept.
	Focus, Ignore *regexp.Regexp
	// Inverted begins with the running function and branches into its callers.
	Inverted bool
	// Source returns the text of source files, for the page that shows the lines of
	// a function. Without it the page shows none.
	Source Source
	// MaxNodes bounds the nodes of the tree; 0 is a million. If the tree is full, the
	// lightest stacks are cut, and their values count in a frame "(calls left out)".
	MaxNodes int
}

// Tree holds the calls of a profile. Calls with equal paths are one node. Nodes are
// in preorder: a node's callees follow it, the heaviest first. Node 0 is the
// root and has no frame of its own. A Tree is not changed after New and may be
// read from many goroutines.
type Tree struct {
	Title string
	Types []profile.ValueType // one for each column
	// Column is the one that is shown first.
	Column int
	// Frames holds the functions that nodes refer to. Frames[0] is the root's.
	Frames []Frame

	Parent []int32 // a node's parent; -1 for the root
	Frame  []int32 // a node's index in Frames
	// Self has for each column, by node, the sum of the stacks that end there, in the
	// column's unit. Base has the same for Options.Base, and is nil without that.
	Self, Base [][]int64

	Normalized bool
	Inverted   bool
	LeftOut    int // number of stacks that were cut

	end     []bool  // whether a stack ends there, by node
	class   []uint8 // cost class of the stacks that end there, by node; nil if not a CPU profile
	hot     []hotLine
	excerpt []excerptLine
}

// New makes the tree of a profile.
func New(p *profile.Profile, opts Options) (*Tree, error) {
	columns, err := chooseColumns(p, opts.Base)
	if err != nil {
		return nil, err
	}
	t := &Tree{Title: opts.Title, Normalized: opts.Normalized, Inverted: opts.Inverted}
	if t.Title == "" {
		t.Title = p.Name
	}
	t.Title = termtext.Harmless(t.Title)
	for _, c := range columns {
		t.Types = append(t.Types, p.SampleTypes[c.index])
	}
	if t.Column, err = firstColumn(p, columns, opts.Type); err != nil {
		return nil, err
	}
	passes := stackFilter(p.Dict, opts.Focus, opts.Ignore)
	g := newGrower(p.Dict, t, cmp.Or(opts.MaxNodes, defaultMaxNodes))
	kept := g.add(p, columns, passes, false)
	if opts.Base != nil {
		kept += g.add(opts.Base, columns, passes, true)
	}
	switch {
	case kept == 0 && (opts.Focus != nil || opts.Ignore != nil):
		return nil, fmt.Errorf("profile %q: no stack passes the filter; loosen focus or ignore", p.Name)
	case kept == 0:
		return nil, fmt.Errorf("profile %q holds no samples; record it while the program works", p.Name)
	}
	if _, cpu := p.Column("cpu"); cpu {
		g.classify(cost.NewClassifier(p.Dict))
	}
	t.hot = hotLines(p, columns, passes, g)
	t.excerpt = excerpts(t, opts.Source)
	t.sort()
	return t, nil
}

// A column is a sample type, by its index in the profile and in the base.
type column struct{ index, base int }

// chooseColumns returns the sample types of p, or those that base has too.
func chooseColumns(p, base *profile.Profile) ([]column, error) {
	var all []column
	for i, t := range p.SampleTypes {
		c := column{index: i}
		if base != nil {
			j, ok := base.Column(t.Type)
			if !ok || base.SampleTypes[j].Unit != t.Unit {
				continue
			}
			c.base = j
		}
		all = append(all, c)
	}
	switch {
	case base != nil && base.Dict != p.Dict:
		return nil, errors.New("the profile and its base have different dictionaries; decode both into one")
	case len(p.SampleTypes) == 0:
		return nil, fmt.Errorf("profile %q has no sample types, so nothing was measured; record it again", p.Name)
	case len(all) == 0:
		return nil, fmt.Errorf(
			"profiles %q (%s) and %q (%s) have no sample type in common; compare profiles of one kind",
			p.Name, typeNames(p), base.Name, typeNames(base))
	}
	return all, nil
}

// firstColumn returns which of the columns to show first: the one of the sample type with
// the given name, or pprof's default.
func firstColumn(p *profile.Profile, columns []column, name string) (int, error) {
	wanted := p.DefaultColumn()
	if name != "" {
		var ok bool
		if wanted, ok = p.Column(name); !ok {
			return 0, fmt.Errorf("profile %q has no sample type %q; it has %s", p.Name, name, typeNames(p))
		}
	}
	for i, c := range columns {
		if c.index == wanted {
			return i, nil
		}
	}
	if name != "" {
		return 0, fmt.Errorf("the base has no sample type %q with the same unit; choose another", name)
	}
	return len(columns) - 1, nil
}

func typeNames(p *profile.Profile) string {
	text := ""
	for i, t := range p.SampleTypes {
		if i > 0 {
			text += ", "
		}
		text += termtext.Harmless(t.Type)
	}
	return text
}
