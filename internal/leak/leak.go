package leak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/release"
)

// Leak is goroutines of one cause.
type Leak struct {
	Places     []*evidence.WaitingPlace // the most goroutines first
	At         evidence.Frame           // the line of the program; without a file where it is not known
	Change     *evidence.Frame          // the line to change, where it is another
	Path       []evidence.Frame         // the leaf first
	Title      string
	Remedy     string
	Example    string
	Confidence evidence.Confidence

	lock *release.Lock
}

// Now returns the goroutines at the place that has the most.
func (l *Leak) Now() float64 { return l.Places[0].Now() }

// enough is how many goroutines are reported where no path of the source shows why they
// pile up: fewer are a small pool that fills.
const enough = 50

// surely is how many are reported if their number grows for certain and has doubled.
const surely = 20

// search finds leaks.
type search struct {
	*evidence.Evidence
	source  *release.Program
	weights map[key]float64 // bytes allocated below lines
}

type key struct {
	file string // a file of this machine, or its name in profiles without source
	line int
}

// Find returns the leaks of a program, the most goroutines first.
func Find(e *evidence.Evidence) []Leak {
	if len(e.Waiting) == 0 {
		return nil
	}
	s := &search{Evidence: e, source: e.Releases()}
	s.weigh()
	var all []Leak
	for i := range e.Waiting {
		if p := &e.Waiting[i]; !p.Library {
			if l, ok := s.own(p); ok {
				all = join(all, l)
			}
		}
	}
	for i := range e.Waiting {
		p := &e.Waiting[i]
		if !p.Library {
			continue
		}
		if i := slices.IndexFunc(all, func(l Leak) bool { return waitsOn(&l, p) }); i >= 0 {
			all[i].Places = append(all[i].Places, p) // the program waits for them, and they for it
			continue
		}
		if l, ok := s.library(p); ok {
			l.knowing(p.Function)
			all = join(all, l)
		}
	}
	all = slices.DeleteFunc(all, func(l Leak) bool {
		p := l.Places[0]
		least := float64(enough)
		if p.Grows && p.Now() >= 2*p.Counts[0] {
			least = surely
		}
		return l.Now() < least && l.Change == nil && p.Leaked == 0
	})
	slices.SortStableFunc(all, func(a, b Leak) int { return cmp.Compare(b.Now(), a.Now()) })
	return all
}

// join adds a leak, or its places to another leak of the same cause: the same lock, the same
// path that keeps what they wait for, or the same line of the program for goroutines of libraries.
func join(all []Leak, l Leak) []Leak {
	for i := range all {
		o := &all[i]
		same := l.Change != nil && o.Change != nil && *l.Change == *o.Change &&
			l.Places[0].Reason() == o.Places[0].Reason()
		if same || o.lock.Same(l.lock) || l.Places[0].Library && o.Places[0].Library && l.At.File != "" &&
			o.At.File == l.At.File && o.At.Line == l.At.Line {
			o.Places = append(o.Places, l.Places...)
			return all
		}
	}
	return append(all, l)
}

// waitsOn reports whether the program's goroutines of a leak wait in the package that the
// goroutines of a library are of.
func waitsOn(l *Leak, p *evidence.WaitingPlace) bool {
	of := l.Places[0]
	if of.Library || len(p.Path) == 0 {
		return false
	}
	pkg := profile.PackageOf(p.Function)
	for _, f := range of.Path {
		if f == of.Frame {
			return false
		}
		if profile.PackageOf(f.Function) == pkg && !strings.HasPrefix(f.Function, "sync.") {
			return true
		}
	}
	return false
}

// confidence is how sure it is that goroutines pile up, whatever the reason.
func confidence(p *evidence.WaitingPlace) evidence.Confidence {
	switch {
	case p.Grows, p.Leaked > 0:
		return evidence.High
	case p.Reason() == evidence.SystemCall:
		return evidence.Medium // the threads are there, whatever their number does
	case len(p.Counts) > 1:
		return evidence.Low // their number is steady: they may serve connections
	}
	return evidence.Medium
}

// lower returns the lower confidence of two.
func lower(a, b evidence.Confidence) evidence.Confidence {
	order := []evidence.Confidence{evidence.Low, evidence.Medium, evidence.High}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// weigh sums up the bytes allocated below each line on the paths of sites.
func (s *search) weigh() {
	s.weights = map[key]float64{}
	for i := range s.Sites {
		site := &s.Sites[i]
		seen := map[key]bool{}
		for _, f := range append([]evidence.Frame{site.Frame}, site.Path...) {
			if k := s.key(f); !seen[k] {
				seen[k] = true
				s.weights[k] += site.Recent.Bytes + site.Live.Bytes
			}
		}
	}
}

func (s *search) key(f evidence.Frame) key {
	if local := s.Source.Local(f.Function, f.File); local != "" {
		return key{local, f.Line}
	}
	return key{f.File, f.Line}
}

// frame returns a place of source as a frame.
func frame(p release.Place) evidence.Frame {
	return evidence.Frame{Function: p.Function, File: p.File, Line: p.Line}
}

// at names a line by its file's last element.
func at(p release.Place) string {
	return fmt.Sprintf("%s:%d", p.File[strings.LastIndexAny(p.File, `/\`)+1:], p.Line)
}

// several names up to three places.
func several(all []string) string {
	all = slices.Compact(all)
	if more := len(all) - 3; more > 0 {
		all = append(slices.Clone(all[:3]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}

func goroutines(p *evidence.WaitingPlace) string {
	return format.Count(p.Now()) + " goroutines"
}

// exits says where paths leave without a release: "main.go:28 returns".
func exits(missed []release.Path) string {
	var all []string
	for _, m := range missed {
		if m.Again {
			all = append(all, at(m.Exit)+" is reached again")
		} else {
			all = append(all, at(m.Exit)+" returns")
		}
	}
	return several(all)
}
