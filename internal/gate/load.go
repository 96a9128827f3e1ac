package gate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/internal/input"
)

// The file of a budget. Limits that it does not name are as in Default, and those
// that a benchmark's own entry leaves out as for all benchmarks.
//
//	[budget."B/op"]
//	grow  = "3%"     # more than this fails; "off" does not gate the metric
//	floor = 64       # so many bytes more never fail
//
//	[[benchmark]]
//	name = "json.*"  # as reports show it; * and ? stand for characters but a slash
//	[benchmark.budget."allocs/op"]
//	grow = "0%"
//
//	[[exception]]
//	benchmark = "json.Decode"
//	metric    = "allocs/op"
//	grow      = "30%"
//	until     = 2027-03-01
//	reason    = "the new decoder keeps positions; see issue 17"
type file struct {
	Budget     map[string]entry `toml:"budget"`
	Benchmarks []struct {
		Name   string           `toml:"name"`
		Budget map[string]entry `toml:"budget"`
	} `toml:"benchmark"`
	Exceptions []struct {
		Benchmark string    `toml:"benchmark"`
		Metric    string    `toml:"metric"`
		Grow      string    `toml:"grow"`
		Until     time.Time `toml:"until"`
		Reason    string    `toml:"reason"`
	} `toml:"exception"`
}

type entry struct {
	Grow  *string  `toml:"grow"`
	Floor *float64 `toml:"floor"`
}

// Load reads a budget from a TOML file. Keys that it does not know, exceptions
// without a reason and exceptions that are past their day are errors.
func Load(ctx context.Context, name string, now time.Time) (*Budget, error) {
	data, err := input.ReadFile(ctx, name, 1<<20)
	if err != nil {
		return nil, fmt.Errorf("read the budget: %w", err)
	}
	b, err := parse(string(data), now)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

func parse(text string, now time.Time) (*Budget, error) {
	var f file
	meta, err := toml.Decode(text, &f)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("line %d: %s", syntax.Position.Line, syntax.Message)
	case err != nil:
		return nil, errors.New(strings.TrimPrefix(err.Error(), "toml: "))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("unknown key %s; a budget has grow and floor, a benchmark name and budget, an exception benchmark, metric, grow, until and reason", unknown[0].String())
	}
	for _, k := range meta.Keys() { // the decoder passes over a number where a table belongs
		if k[len(k)-1] == "budget" && meta.Type(k...) != "Hash" {
			return nil, fmt.Errorf("%s is no table; write it as in [budget.\"B/op\"]", k)
		}
	}
	// A budget in a file changes the default one, and a benchmark's changes the file's.
	b := Default()
	if err := addLimits(b.limits, f.Budget, b.limits); err != nil {
		return nil, err
	}
	for _, o := range f.Benchmarks {
		if err := checkPattern("benchmark", o.Name); err != nil {
			return nil, err
		}
		limits := map[string]Limit{}
		if err := addLimits(limits, o.Budget, b.limits); err != nil {
			return nil, fmt.Errorf("benchmark %q: %w", o.Name, err)
		}
		b.benchmarks = append(b.benchmarks, override{o.Name, limits})
	}
	for _, x := range f.Exceptions {
		e := Exception{Benchmark: x.Benchmark, Metric: x.Metric, Until: x.Until, Reason: strings.TrimSpace(x.Reason)}
		if err := checkPattern("exception", e.Benchmark); err != nil {
			return nil, err
		}
		// An exception without a reason or an end would stay for ever.
		name := fmt.Sprintf("exception for %s of %q", e.Metric, e.Benchmark)
		switch {
		case e.Metric == "":
			return nil, fmt.Errorf("exception for %q: name the metric", e.Benchmark)
		case e.Reason == "":
			return nil, fmt.Errorf("%s: give a reason; nobody will know it later", name)
		case e.Until.IsZero():
			return nil, fmt.Errorf("%s: say until when it holds, as in until = 2027-03-01", name)
		case !now.Before(e.Until):
			return nil, fmt.Errorf("%s: it ended on %s (%s); remove it, or give it a new day", name,
				e.Until.Format(time.DateOnly), e.Reason)
		}
		if e.Grow, err = percent(x.Grow); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		b.exceptions = append(b.exceptions, e)
	}
	return b, nil
}

// addLimits reads limits into to. Fields that an entry leaves out are as in base.
func addLimits(to map[string]Limit, from map[string]entry, base map[string]Limit) error {
	names := make([]string, 0, len(from))
	for metric := range from {
		names = append(names, metric)
	}
	slices.Sort(names) // several mistakes give the same error each time
	for _, metric := range names {
		e := from[metric]
		l, known := base[metric]
		if e.Floor != nil {
			if l.Floor = *e.Floor; !(l.Floor >= 0) || math.IsInf(l.Floor, 1) {
				return fmt.Errorf("%s: floor = %v is no number from 0 on", metric, l.Floor)
			}
		}
		switch {
		case e.Grow == nil && !known:
			return fmt.Errorf(
				`%s: say how much it may grow, as in grow = "5%%"; only Heapwright's own metrics have a default`,
				metric)
		case e.Grow == nil:
		case *e.Grow == "off":
			l.Off = true
		default:
			var err error
			if l.Grow, err = percent(*e.Grow); err != nil {
				return fmt.Errorf("%s: %w", metric, err)
			}
			l.Off = false
		}
		to[metric] = l
	}
	return nil
}

func percent(s string) (float64, error) {
	number, ok := strings.CutSuffix(strings.ReplaceAll(s, " ", ""), "%")
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(v >= 0 && v < 1e6) {
		return 0, fmt.Errorf(`grow = %q is no percentage; write it as in grow = "5%%"`, s)
	}
	return v / 100, nil
}

func checkPattern(what, pattern string) error {
	if pattern == "" {
		return fmt.Errorf("a %s without a name; give the name that reports show, as in \"json.Decode\"", what)
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("%s %q: %w", what, pattern, err)
	}
	return nil
}
