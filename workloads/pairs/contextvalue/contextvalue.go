// Package contextvalue is a pair for contexts that carry the parameters of a
// call: a consumer takes a batch of messages from a queue and charges each to
// its tenant. Before, tenant, region and weight travel in a context that is made
// for each message; after, in a struct.
package contextvalue

import (
	"context"
	"errors"
)

// message is one of the queue, with the headers that matter here.
type message struct {
	tenant string
	region int
	weight float64
	body   []byte
}

// plan is how a tenant pays: so much per byte, in each region.
type plan struct {
	perByte [4]float64
	free    int
}

// ledger has the plans of the tenants and the sums that they owe.
type ledger struct {
	plans map[string]*plan
	owed  map[string]float64
}

var (
	errStopped = errors.New("the consumer was stopped")
	errTenant  = errors.New("a message of nobody")
)

type tenantKey struct{}
type regionKey struct{}
type weightKey struct{}

// before charges the messages and returns how many had a tenant.
func before(ctx context.Context, l *ledger, batch []message) (int, error) {
	charged := 0
	for i := range batch {
		m := &batch[i]
		each := context.WithValue(ctx, tenantKey{}, m.tenant)
		each = context.WithValue(each, regionKey{}, m.region)
		each = context.WithValue(each, weightKey{}, m.weight)
		switch err := chargeContext(each, l, m.body); err {
		case nil:
			charged++
		case errTenant: // The tenant may have left since the message was sent.
		default:
			return charged, err
		}
	}
	return charged, nil
}

func chargeContext(ctx context.Context, l *ledger, body []byte) error {
	tenant, _ := ctx.Value(tenantKey{}).(string)
	region, _ := ctx.Value(regionKey{}).(int)
	weight, _ := ctx.Value(weightKey{}).(float64)
	if ctx.Err() != nil {
		return errStopped
	}
	return l.add(tenant, region, weight, body)
}

// origin is where a message came from.
type origin struct {
	tenant string
	region int
	weight float64
}

func after(ctx context.Context, l *ledger, batch []message) (int, error) {
	charged := 0
	for i := range batch {
		m := &batch[i]
		switch err := charge(ctx, origin{m.tenant, m.region, m.weight}, l, m.body); err {
		case nil:
			charged++
		case errTenant: // The tenant may have left since the message was sent.
		default:
			return charged, err
		}
	}
	return charged, nil
}

func charge(ctx context.Context, from origin, l *ledger, body []byte) error {
	if ctx.Err() != nil {
		return errStopped
	}
	return l.add(from.tenant, from.region, from.weight, body)
}

// add charges the bytes that are not blank, because senders pad their bodies.
func (l *ledger) add(tenant string, region int, weight float64, body []byte) error {
	p := l.plans[tenant]
	if p == nil {
		return errTenant
	}
	size := 0
	for _, c := range body {
		if c != ' ' {
			size++
		}
	}
	if size > p.free {
		l.owed[tenant] += weight * p.perByte[region] * float64(size-p.free)
	}
	return nil
}
