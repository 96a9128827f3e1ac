package main

import (
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/bench/internal/data"
)

// truth is the right answer about a program, and how to ask for it.
type truth struct {
	// Report is the public report, as in golang/go#1. Title, Kind and Cause say what was
	// found there.
	Report, Title, Kind, Cause string

	// How is url, collect, bench, trace or files. A collection is made several Times.
	How   string
	Times int
	File  []file

	// Program is the folder beside this one that has the program, if this one has none.
	Program string

	// Env and Args start the program, once a peer of the same program has been started
	// with Peer. In Args, {peer} is the peer's address. Then it runs for the time Warm
	// before heapwright is asked.
	Env, Args, Peer []string
	Warm            time.Duration

	// Clean programs have no fault.
	Clean bool

	// One finding must name one of the Lines of the program, which are given by a part of
	// their text, or match Place, and it must match Cause and Remedy.
	Right struct {
		Lines                []string
		Place, Cause, Remedy pattern
	}

	// Wrong is what none of the first findings may say.
	Wrong struct{ Text pattern }

	place []*regexp.Regexp // the places that are right
}

// pattern is a regular expression that ignores case. An empty one matches nothing.
type pattern struct{ *regexp.Regexp }

func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile("(?i)" + string(text))
	return err
}

func (p pattern) in(text string) bool { return p.Regexp != nil && p.MatchString(text) }

// read reads a truth about the program in a folder.
func read(file, dir string) (*truth, error) {
	t := &truth{Times: 1, Warm: 6 * time.Second}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	meta, err := toml.Decode(string(text), t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown key %v", file, unknown[0])
	}
	if t.Right.Place.Regexp != nil {
		t.place = append(t.place, t.Right.Place.Regexp)
	}
	for _, line := range t.Right.Lines {
		found, err := data.Marked(dir, regexp.MustCompile(regexp.QuoteMeta(line)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, at := range found {
			t.place = append(t.place, regexp.MustCompile(`\b`+regexp.QuoteMeta(at.String())+`\b`))
		}
	}
	return t, nil
}
