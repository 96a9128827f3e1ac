package mode

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

var buildTagsKind = Kind{
	Name: "build tags", Keys: []string{"tags="}, Syntax: "tags=foo",
	Doc:   "build with this tag; for more than one, tags=foo+tags=bar",
	Parse: parseTags,
}

type tags string

func (t tags) String() string { return "tags=" + quoteValue(string(t)) }
func (t tags) Slot() string   { return t.String() } // several add up

func (t tags) Apply(_ context.Context, _ *Machine, c *Config) error {
	c.Tags = append(c.Tags, strings.Split(string(t), ",")...)
	return nil
}

var tagName = regexp.MustCompile(`^[\pL\pN_.]+$`) // go/build/constraint, isValidTag

func parseTags(t token) (Setting, error) {
	if t.name != "tags" || !t.valued {
		return nil, nil
	}
	for tag := range strings.SplitSeq(t.value, ",") {
		if !tagName.MatchString(tag) {
			return nil, fmt.Errorf(`tags=%s: %q is not a build tag; write tags as in tags=foo or tags="foo,bar"`,
				t.value, tag)
		}
		if name, ok := strings.CutPrefix(tag, "goexperiment."); ok {
			return nil, fmt.Errorf(
				"tags=%s: the tag alone selects files but not the experiment in the toolchain: write %s", t.value, name)
		}
	}
	return tags(t.value), nil
}
