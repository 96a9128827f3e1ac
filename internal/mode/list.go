package mode

import "context"

// Available is one thing that can be varied, as "heapwright modes" lists it.
type Available struct {
	Kind      string `json:"kind"`   // "GOEXPERIMENT"
	Syntax    string `json:"syntax"` // what the user types: "nogreenteagc", or an example: "GOGC=400"
	Doc       string `json:"doc"`    // one line on its effect
	Available bool   `json:"available"`
	Why       string `json:"why,omitempty"` // why it is not available
	Default   bool   `json:"default"`       // a mode that does not name it has it
}

// List returns everything that can be varied on this machine with a toolchain,
// "" for the target's own: the kinds in their order, the experiments about
// memory before the others. Unavailable ones say why.
func List(ctx context.Context, m *Machine, toolchain string) ([]Available, error) {
	t, err := m.Toolchain(ctx, toolchain)
	if err != nil {
		return nil, err
	}
	var list []Available
	for _, k := range kinds {
		for _, a := range k.list(ctx, m, t) {
			a.Kind = k.Name
			list = append(list, a)
		}
	}
	return list, ctx.Err()
}

func (k Kind) list(ctx context.Context, m *Machine, t *Toolchain) []Available {
	if k.List != nil {
		return k.List(ctx, m, t)
	}
	a := Available{Syntax: k.Syntax, Doc: k.Doc}
	if k.Lacks != nil {
		a.Why = k.Lacks(ctx, m, t)
	}
	a.Available = a.Why == ""
	return []Available{a}
}
