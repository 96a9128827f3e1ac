package collect

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// kind is one thing that a service serves.
type kind struct {
	name     string // the name in file names and the document
	path     string // below the root
	ext      string
	columns  []string // sample types without which a profile is of another kind
	optional bool     // many services do not serve it; without it nothing has failed
	mayBeOff bool     // without samples it says nothing and is not saved
	sized    bool     // nothing in it says whether it is whole: the answer has to
	most     int64    // bytes of an answer; 0 is the plan's limit
}

var (
	heap = kind{name: "heap", path: "/debug/pprof/heap", ext: ".pb.gz",
		columns: []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}}
	cpu       = kind{name: "cpu", path: "/debug/pprof/profile", ext: ".pb.gz", columns: []string{"cpu"}}
	goroutine = kind{name: "goroutine", path: "/debug/pprof/goroutine", ext: ".pb.gz", columns: []string{"goroutine"}}
	leak      = kind{name: "goroutineleak", path: "/debug/pprof/goroutineleak", ext: ".pb.gz", columns: []string{"goroutineleak"}, optional: true, mayBeOff: true} // Go 1.27 and later
	mutex     = kind{name: "mutex", path: "/debug/pprof/mutex", ext: ".pb.gz",
		columns: []string{"contentions", "delay"}, optional: true, mayBeOff: true}
	block = kind{name: "block", path: "/debug/pprof/block", ext: ".pb.gz",
		columns: []string{"contentions", "delay"}, optional: true, mayBeOff: true}
	trace = kind{name: "trace", path: "/debug/pprof/trace", ext: ".trace", sized: true}
	vars  = kind{name: "vars", path: "/debug/vars", ext: ".json", optional: true, most: 8 << 20} // JSON of many small values takes 20 times its size in memory

	allocs = kind{name: "allocs", ext: ".pb.gz"} // made of two heap profiles
)

// request returns the URL of a kind. A recording of d is asked for in seconds: of
// a CPU profile in whole ones, for net/http/pprof ignores a fraction.
func (k kind) request(root *url.URL, d time.Duration, gc bool) string {
	u := root.JoinPath(k.path)
	q := url.Values{}
	switch {
	case d > 0 && k.name == trace.name:
		q.Set("seconds", strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
	case d > 0:
		q.Set("seconds", strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10))
	case gc:
		q.Set("gc", "1")
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// check reports whether an answer is complete and of the right kind. It returns
// the profile in it, nil if it holds another kind of data.
func (k kind) check(from string, data []byte, opts profile.Options) (*profile.Profile, error) {
	switch {
	case k.name == vars.name:
		_, err := parseVars(data)
		return nil, about(from, err)
	case k.name == trace.name:
		// internal/trace/version: "go 1.26 trace\x00\x00\x00", 16 bytes
		if head := data[:min(len(data), 16)]; !bytes.HasPrefix(head, []byte("go 1.")) ||
			!bytes.Contains(head, []byte(" trace\x00")) {
			return nil, fmt.Errorf("%s: the answer is not an execution trace; check the URL and the login", from)
		}
		return nil, nil
	}
	p, err := profile.NewDecoder(opts).DecodeBytes(from, data)
	if err != nil {
		return nil, err
	}
	for _, column := range k.columns {
		if _, ok := p.Column(column); !ok {
			return nil, fmt.Errorf("%s: not a %s profile: it counts %s; is something else served there?",
				from, k.name, kindOf(p))
		}
	}
	return p, nil
}

// kindOf names the sample types of a profile.
func kindOf(p *profile.Profile) string {
	var all []string
	for _, t := range p.SampleTypes {
		all = append(all, strconv.Quote(t.Type))
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(slices.Compact(all), ", ")
}

func about(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
