package mode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var experimentKind = Kind{
	Name: "GOEXPERIMENT", Syntax: "arenas", Variables: []string{"GOEXPERIMENT"},
	Doc:   "an experiment of the toolchain; with no in front, as in nogreenteagc, turned off",
	Parse: parseExperiment, ProveBuild: proveExperiments, List: listExperiments,
}

// experiment is a GOEXPERIMENT as it stands in that variable: "arenas" or
// "noarenas".
type experiment string

func (e experiment) String() string { return string(e) }
func (e experiment) Slot() string   { return "the experiment " + e.base() }

// base strips "no" as the toolchain does (internal/buildcfg, ParseGOEXPERIMENT):
// no experiment's own name begins with it.
func (e experiment) base() string { return strings.TrimPrefix(string(e), "no") }
func (e experiment) on() bool     { return !strings.HasPrefix(string(e), "no") }

var experimentName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// parseExperiment claims any plain word, so it is asked last. Which words are
// experiments is known when the toolchain is.
func parseExperiment(t token) (Setting, error) {
	if t.valued || !experimentName.MatchString(t.name) {
		return nil, nil
	}
	return experiment(t.name), nil
}

func (e experiment) Apply(_ context.Context, _ *Machine, c *Config) error {
	known, ok := c.Go.Experiment(e.base())
	if !ok {
		unknown := unknownSetting(token{name: string(e)})
		unknown.Toolchain = c.Go.Version
		for _, k := range c.Go.Experiments {
			unknown.Known = append(unknown.Known, k.Name, "no"+k.Name)
		}
		return unknown
	}
	switch why, bad := refused[e.base()]; {
	case bad && e.on():
		return fmt.Errorf("the experiment %s is not measured: %s", e, why)
	case known.Fixed && known.On != e.on():
		return errors.New(fixed(c.Go))
	case known.On == e.on():
		c.Notes = append(c.Notes, fmt.Sprintf("%s is the default on %s: the setting changes nothing", e, c.Go.Version))
	}
	c.Experiments = append(c.Experiments, string(e))
	return nil
}

// proveExperiments goes by the binary's version string, where the toolchain
// itself names the experiments that differ from its defaults, and not by the
// build setting GOEXPERIMENT, which only repeats the variable.
func proveExperiments(c Config, id Identity) (string, error) {
	if id.GoVersion == "" {
		return "", nil // proveVersion has said so
	}
	state := map[string]experiment{}
	for _, name := range slices.Concat(c.Go.preset, c.Experiments) {
		state[experiment(name).base()] = experiment(name)
	}
	want := map[string]bool{}
	for base, e := range state {
		known, _ := c.Go.Experiment(base)
		plain := known.On // holds for a toolchain that was built without a GOEXPERIMENT
		if slices.ContainsFunc(c.Go.preset, func(p string) bool { return experiment(p).base() == base }) {
			plain = !plain
		}
		if e.on() != plain {
			want[string(e)] = true
		}
	}
	got := map[string]bool{}
	for _, name := range id.Experiments {
		got[name] = true
	}
	if !maps.Equal(want, got) {
		return "", fmt.Errorf(
			"it was to differ from the defaults of %s in the experiments %s, the binary differs in %s",
			c.Go.Version, set(want), set(got))
	}
	var doubts []string
	for _, name := range c.Experiments {
		if doubt, err := proveEffect(experiment(name), id); err != nil {
			return "", err
		} else if doubt != "" {
			doubts = append(doubts, doubt)
		}
	}
	return strings.Join(doubts, "; "), nil
}

func set(names map[string]bool) string {
	return "[" + strings.Join(slices.Sorted(maps.Keys(names)), " ") + "]"
}

func fixed(t *Toolchain) string {
	return fmt.Sprintf("%s does not let it be changed on %s/%s", t.Version, t.Env["GOOS"], t.Env["GOARCH"])
}

// listExperiments lists the experiments that are not the default, those about memory
// first.
func listExperiments(_ context.Context, _ *Machine, t *Toolchain) []Available {
	var memory, others []Available
	for _, e := range t.Experiments {
		a := Available{Syntax: e.Name, Doc: e.Doc, Available: true}
		if e.Doc == "" {
			a.Doc = "not described in the toolchain's source"
		}
		if e.On {
			a.Syntax, a.Doc = "no"+e.Name, "on by default, this turns it off: "+a.Doc
		}
		if e.Fixed {
			a.Available, a.Why = false, fixed(t)
		}
		if why, bad := refused[e.Name]; bad && !e.On {
			a.Available, a.Why = false, why
		}
		if e.Memory {
			memory = append(memory, a)
		} else {
			others = append(others, a)
		}
	}
	return append(memory, others...)
}
