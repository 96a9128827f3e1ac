package experiment

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
)

// injectable is the source that a mode can add to a target, by the name that
// mode.Config.Inject has for it.
var injectable = map[string]func() probe.Injection{
	"ballast": probe.Ballast,
	"gctune":  probe.Tuner,
}

func injections(c mode.Config) ([]probe.Injection, error) {
	var list []probe.Injection
	for _, name := range c.Inject {
		source, ok := injectable[name]
		if !ok {
			return nil, fmt.Errorf("no source is known by the name %q that could be added to the target", name)
		}
		list = append(list, source())
	}
	return list, nil
}
