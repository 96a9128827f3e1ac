package target

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/heapwright/heapwright/internal/result"
)

// Record returns a target as a document keeps it.
func Record(t Target) (result.PlannedTarget, error) {
	spec, err := json.Marshal(t)
	if err != nil {
		return result.PlannedTarget{}, fmt.Errorf("recording the target %s: %w", t, err)
	}
	return result.PlannedTarget{Kind: t.Facts().Kind, Spec: spec}, nil
}

// kinds are the targets that can be read again.
var kinds = []struct {
	name string // the name in Facts
	make func() opener
}{
	{"packages", func() opener { return new(Packages) }},
	{"command", func() opener { return new(Command) }},
	{"server", func() opener { return new(Server) }},
}

// opener is a target that takes files, or has to be allowed by the machine.
type opener interface {
	Target
	// Open makes the target ready; dir is where it is.
	Open(ctx context.Context, dir string) error
}

// Open returns the target that was recorded, ready to be measured in dir.
func Open(ctx context.Context, r result.PlannedTarget, dir string) (Target, error) {
	for _, k := range kinds {
		if k.name != r.Kind {
			continue
		}
		t := k.make()
		if err := json.Unmarshal(r.Spec, t); err != nil {
			return nil, fmt.Errorf("the recorded target is damaged: %w", err)
		}
		return t, t.Open(ctx, dir)
	}
	return nil, fmt.Errorf("this heapwright does not know targets of the kind %q", r.Kind)
}
