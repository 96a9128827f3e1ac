package collect

import (
	"context"
	"errors"
	"path/filepath"
	"time"
)

// RecordTrace has a service record an execution trace for the plan's Trace, saves
// it in the plan's Dir and returns the file's path. Nothing else is fetched.
func RecordTrace(ctx context.Context, plan Plan) (string, error) {
	plan, root, err := plan.withDefaults()
	if err != nil {
		return "", err
	}
	if plan.Trace == 0 {
		return "", errors.New("the length of the trace is 0")
	}
	client, err := plan.Access.client(ctx, root, plan.dial)
	if err != nil {
		return "", err
	}
	defer client.CloseIdleConnections()
	c := &collector{plan: plan, root: root, client: client, showing: make(chan struct{}, 1),
		doc: &Document{Started: time.Now().UTC()}}
	if err := c.recordTrace(ctx); err != nil {
		return "", err
	}
	return filepath.Join(plan.Dir, c.doc.Files[0].Path), nil
}

func (c *collector) recordTrace(ctx context.Context) error {
	if ctx.Err() == nil {
		defer c.count(trace, c.plan.Trace)()
	}
	_, err := c.fetch(ctx, trace, c.plan.Trace)
	return err
}
