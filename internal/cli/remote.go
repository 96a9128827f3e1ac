package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/serve/client"
)

// remote reads sources such as serve+http://host:7070 and pyroscope+http://host:4040.
type remote struct {
	query client.Query
	kind  string // "" reads all that a diagnosis rests on
}

func (r *remote) register(fs *flagSet) {
	fs.service.rare.StringVar(&r.query.Service, "service", "",
		"of serve+URL and pyroscope+URL: the service `SERVICE`")
	fs.service.rare.StringVar(&r.query.Version, "version", "",
		"of serve+URL and pyroscope+URL: only processes of `VERSION` (default: the newest)")
	fs.service.rare.DurationVar(&r.query.Last, "last", time.Hour,
		"of serve+URL and pyroscope+URL: profiles of the last `TIME`")
	fs.service.rare.StringVar(&r.query.From, "from", "",
		"of serve+URL and pyroscope+URL: profiles from `TIME` on, as in 2026-03-04T10:00:00Z")
	fs.service.rare.StringVar(&r.query.To, "to", "",
		"of serve+URL and pyroscope+URL: profiles before `TIME`")
}

// fetch returns the names with each server replaced by a folder or file of its profiles,
// which the caller removes by done.
func (r *remote) fetch(ctx context.Context, names []string, token string) (local []string, done func(), err error) {
	local, done = append(local, names...), func() {}
	r.query.Token = token
	for i, name := range names {
		is, meant := client.Is(name)
		if meant && !is {
			kind, _, _ := strings.Cut(name, "+")
			return nil, done, usagef("%s: write %s+http://HOST:PORT", name, kind)
		}
		if !is {
			continue
		}
		if r.query.Service == "" {
			return nil, done, usagef("%s: which service? give -service SERVICE", name)
		}
		scratch, err := result.Scratch()
		if err != nil {
			return nil, done, err
		}
		before := done
		done = func() { before(); os.RemoveAll(scratch) }
		local[i] = scratch
		if r.kind == "" {
			err = client.Window(ctx, name, r.query, scratch)
		} else {
			local[i] = filepath.Join(scratch, fmt.Sprintf("%s.pb.gz", r.kind))
			err = client.Profile(ctx, name, r.kind, r.query, local[i])
		}
		if err != nil {
			done()
			return nil, func() {}, err
		}
	}
	return local, done, nil
}
