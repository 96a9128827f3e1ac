package flame

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/klauspost/compress/gzip"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/termtext"
)

// data is the tree as page/data.js reads it: columns of numbers and one table of
// text for each kind of name. Values are by stack, which is a node where one
// ends; numbers of nodes and stacks are written as distances.
type data struct {
	Title      string      `json:"title"`
	Types      [][2]string `json:"types"` // name and unit
	Column     int         `json:"column"`
	Normalized bool        `json:"normalized"`

	// Names, Package, File, Line and Tone have an entry for each frame. Package and File
	// are indices of Packages and Files.
	Names    []string `json:"names"`
	Packages []string `json:"packages"`
	Package  []int    `json:"package"`
	Files    []string `json:"files"`
	File     []int    `json:"file"`
	Line     []int64  `json:"line"`
	Tone     []int    `json:"tone"`

	// Up and Frame have an entry for each node after the root. Up is how many levels its
	// parent is above the node before it.
	Up     []int       `json:"up"`
	Frame  []int32     `json:"frame"`
	Stacks []int       `json:"stacks"`
	Values [][]int64   `json:"values"` // one column per type, with an entry for each stack
	Base   [][]int64   `json:"base,omitempty"`
	Class  []int       `json:"class,omitempty"` // the cost class of each stack
	Hot    hotColumns  `json:"hot"`
	Source textColumns `json:"source"`

	Classes []string       `json:"classes"`
	Origins []string       `json:"origins"`
	Light   map[string]any `json:"light"`
	Dark    map[string]any `json:"dark"`
}

type hotColumns struct {
	Frame []int32   `json:"frame"`
	Line  []int64   `json:"line"`
	Flat  [][]int64 `json:"flat"` // one row per line, with an entry for each type
	Cum   [][]int64 `json:"cum"`
}

type textColumns struct {
	Frame []int32  `json:"frame"`
	Line  []int64  `json:"line"`
	Text  []string `json:"text"`
}

func (t *Tree) data() data {
	d := data{
		Title: t.Title, Column: t.Column, Normalized: t.Normalized,
		Up: []int{}, Frame: []int32{}, Stacks: []int{}, // a list in JSON even if empty
		Hot:     hotColumns{Frame: []int32{}, Line: []int64{}, Flat: [][]int64{}, Cum: [][]int64{}},
		Source:  textColumns{[]int32{}, []int64{}, []string{}},
		Classes: []string{}, Origins: owner.Names(), Light: light.columns(), Dark: dark.columns(),
	}
	for _, kind := range t.Types {
		d.Types = append(d.Types, [2]string{termtext.Harmless(kind.Type), termtext.Harmless(kind.Unit)})
	}
	for _, c := range cost.Classes() {
		d.Classes = append(d.Classes, c.String())
	}
	packages, files := table{}, table{}
	for _, f := range t.Frames {
		d.Names = append(d.Names, f.Name)
		d.Package = append(d.Package, packages.number(f.Package))
		d.File = append(d.File, files.number(f.File))
		d.Line = append(d.Line, f.Line)
		d.Tone = append(d.Tone, f.tone())
	}
	d.Packages, d.Files = packages.texts, files.texts
	d.addNodes(t)
	for _, l := range t.hot {
		d.Hot.Frame, d.Hot.Line = append(d.Hot.Frame, l.frame), append(d.Hot.Line, l.line)
		d.Hot.Flat, d.Hot.Cum = append(d.Hot.Flat, l.flat), append(d.Hot.Cum, l.cum)
	}
	for _, l := range t.excerpt {
		d.Source.Frame, d.Source.Line = append(d.Source.Frame, l.frame), append(d.Source.Line, l.line)
		d.Source.Text = append(d.Source.Text, l.text)
	}
	return d
}

func (d *data) addNodes(t *Tree) {
	d.Values = make([][]int64, len(t.Self))
	d.Base = make([][]int64, len(t.Base))
	depth := make([]int, len(t.Parent))
	last := 0
	for node := range t.Parent {
		if node > 0 {
			depth[node] = depth[t.Parent[node]] + 1
			d.Up = append(d.Up, depth[node-1]+1-depth[node])
			d.Frame = append(d.Frame, t.Frame[node])
		}
		if !t.end[node] {
			continue
		}
		d.Stacks = append(d.Stacks, node-last)
		last = node
		for i, self := range t.Self {
			d.Values[i] = append(d.Values[i], self[node])
		}
		for i, self := range t.Base {
			d.Base[i] = append(d.Base[i], self[node])
		}
		if t.class != nil {
			d.Class = append(d.Class, int(t.class[node]))
		}
	}
}

func (of theme) columns() map[string]any {
	return map[string]any{
		"tones": hexes(of.tones[:]), "classes": hexes(of.classes), "changes": hexes(of.changes[:]),
	}
}

// table numbers distinct texts.
type table struct {
	texts   []string
	numbers map[string]int
}

func (t *table) number(text string) int {
	n, ok := t.numbers[text]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[string]int{}
		}
		n = len(t.texts)
		t.numbers[text] = n
		t.texts = append(t.texts, text)
	}
	return n
}

// packed is the data as a page holds it: JSON, gzip-compressed to a third, in
// base64, which cannot be taken for markup. Level 6 takes a thirtieth of the
// time of level 9 for 6% more bytes.
func (t *Tree) packed() (string, error) {
	if t.Inverted {
		return "", fmt.Errorf("%s: the page inverts by itself; make the tree without Inverted", t.Title)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, 6)
	if err == nil {
		err = json.NewEncoder(z).Encode(t.data())
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", t.Title, err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
