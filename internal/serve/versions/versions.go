// Package versions compares two versions of a service whose profiles another server has.
//
// The stance: a serve has made the comparison, and a Pyroscope has only the profiles. Whoever
// asks does not need to know which of them it is.
package versions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/client"
)

// Ask returns the comparison of the version that a query names, or of the newest, with an
// older one; "" is the version that most processes ran at the same time.
func Ask(ctx context.Context, source string, q client.Query, before string) (*serve.SideBySide, error) {
	if profiles, ok := client.OpenStore(source, q); ok {
		w := serve.Window{Service: q.Service, Version: q.Version}
		var err error
		if w.From, w.To, err = q.Window(time.Now()); err != nil {
			return nil, err
		}
		return serve.CompareVersions(ctx, profiles, w, before)
	}
	text, err := client.Versions(ctx, source, q, before)
	if err != nil {
		return nil, err
	}
	c := &serve.SideBySide{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: its answer is no comparison: %w", source, err)
	}
	return c, nil
}
