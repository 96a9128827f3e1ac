package serve

import (
	"cmp"
	"path/filepath"
)

// For returns the options of one of some tenants, "" being who runs the server. A tenant has
// a folder of its own, no targets, and an equal part of the limits of size and memory.
// Judgements of all are made one after the other.
func (o Options) For(tenant string, tenants []string) Options {
	o.Store = o.Store.Share(len(tenants) + 1)
	o.Queue = cmp.Or(o.Queue, usualQueue) / int64(len(tenants)+1)
	if tenant != "" {
		o.Tenant, o.Dir, o.Sources = tenant, filepath.Join(o.Dir, "tenants", tenant), nil
	}
	return o
}

// labels adds the tenant to the labels of an alert.
func (o *Options) labels(all map[string]string) map[string]string {
	if o.Tenant != "" {
		all["tenant"] = o.Tenant
	}
	return all
}
