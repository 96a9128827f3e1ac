package experiment

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
)

// injectable has the sources that a mode can add to a target, by their names in
// mode.Config.Inject.
var injectable = map[string]func() inject.Source{
	"ballast": inject.Ballast,
	"gctune":  inject.Tuner,
}

func injections(c mode.Config) ([]inject.Source, error) {
	var list []inject.Source
	for _, name := range c.Inject {
		source, ok := injectable[name]
		if !ok {
			return nil, fmt.Errorf("no source is known by the name %q that could be added to the target", name)
		}
		list = append(list, source())
	}
	return list, nil
}
