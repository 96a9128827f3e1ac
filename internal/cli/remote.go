package cli

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/serve/client"
	"github.com/heapwright/heapwright/internal/serve/versions"
	"github.com/heapwright/heapwright/internal/serve/view"
	"github.com/heapwright/heapwright/internal/termtext"
)

// remote reads sources such as serve+http://host:7070 and pyroscope+http://host:4040.
type remote struct {
	query client.Query
	kind  string   // "" reads all that a diagnosis rests on
	named []string // the sources that were read, if there is a server among them
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

// parameters are the names that the URL of a server may have a value for.
var parameters = []string{"service", "version", "last", "from", "to"}

// at returns a server without the parameters of its URL, and the query that they make. They
// go before the flags, so that two sources can be of two versions.
func (r *remote) at(name string) (server string, q client.Query, err error) {
	q = r.query
	u, err := url.Parse(name)
	if err != nil {
		return "", q, usagef("%s: no URL", name)
	}
	values := u.Query()
	for key := range values {
		if !slices.Contains(parameters, key) {
			return "", q, usagef("%s: unknown parameter %q; it takes %s", name, key, strings.Join(parameters, ", "))
		}
	}
	if values.Has("from") || values.Has("to") || values.Has("last") { // another window than the flags'
		q.From, q.To = values.Get("from"), values.Get("to")
	}
	q.Service, q.Version = cmp.Or(values.Get("service"), q.Service), cmp.Or(values.Get("version"), q.Version)
	if values.Has("last") {
		if q.Last, err = time.ParseDuration(values.Get("last")); err != nil || q.Last <= 0 {
			return "", q, usagef("%s: last=%s: write a time such as 1h", name, values.Get("last"))
		}
	}
	if q.Service == "" {
		return "", q, usagef("%s: which service? give -service SERVICE", name)
	}
	u.RawQuery = ""
	return u.String(), q, nil
}

// fetch returns the names with each server replaced by a folder or file of its profiles,
// which the caller removes by done.
func (r *remote) fetch(ctx context.Context, names []string, token string) (local []string, done func(), err error) {
	local, done = append(local, names...), func() {}
	named := slices.Clone(names)
	for i, name := range names {
		is, meant := client.Is(name)
		if meant && !is {
			kind, _, _ := strings.Cut(name, "+")
			return nil, done, usagef("%s: write %s+http://HOST:PORT", name, kind)
		}
		if !is {
			continue
		}
		server, query, err := r.at(name)
		if err == nil {
			query.Token, named[i], r.named = token, query.Service+" of "+server, named
			var scratch string
			if scratch, err = result.Scratch(); err == nil {
				before := done
				done = func() { before(); os.RemoveAll(scratch) }
				local[i], err = r.read(ctx, server, query, scratch)
			}
		}
		if err != nil {
			done()
			return nil, func() {}, err
		}
	}
	return local, done, nil
}

// read writes the profiles of a server into a folder, and returns it or the file of the one
// kind that is asked for.
func (r *remote) read(ctx context.Context, server string, q client.Query, dir string) (string, error) {
	if r.kind == "" {
		return dir, client.Window(ctx, server, q, dir)
	}
	file := filepath.Join(dir, r.kind+".pb.gz")
	return file, client.Profile(ctx, server, r.kind, q, file)
}

// files is fetch for readers that take no folder.
func (r *remote) files(ctx context.Context, names []string, token string) (local []string, done func(), err error) {
	some, done, err := r.fetch(ctx, names, token)
	for i, name := range some {
		if name == names[i] {
			local = append(local, name)
			continue
		}
		read, err := os.ReadDir(name)
		if err != nil {
			done()
			return nil, func() {}, err
		}
		for _, file := range read {
			local = append(local, filepath.Join(name, file.Name()))
		}
	}
	return local, done, err
}

// productionOf reads the production of a target from servers that each name their service.
func productionOf(
	ctx context.Context, env Env, command string, names []string,
) (files []string, done func(), err error) {
	token, err := secret(env.opener(ctx, command), "", "HEAPWRIGHT_TOKEN")
	if err != nil {
		return nil, func() {}, usageError{err}
	}
	return new(remote).files(ctx, names, token)
}

func (f *compareFlags) registerProfiles(fs *flagSet) {
	fs.service.common.StringVar(&f.profiles, "profiles", "",
		"compare two versions of a service by the profiles of `SERVER`: serve+URL or pyroscope+URL")
	f.remote.register(fs)
	fs.service.rare.StringVar(&f.base, "base-version", "",
		"with -profiles: compare with `VERSION` (default: the one that most processes ran at the same time)")
	fs.service.rare.StringVar(&f.tokenFile, "token-file", "",
		"with -profiles: send the bearer token in `FILE` (default: HEAPWRIGHT_TOKEN, if set)")
}

// compareProfiles compares two versions that ran side by side.
func (f *compareFlags) compareProfiles(ctx context.Context, env Env, args arguments) error {
	if len(args.names) > 0 || args.after != nil || f.main != "" || f.choice.List != "" || f.resume {
		return usagef("-profiles runs nothing: name no target and no modes")
	}
	is, _ := client.Is(f.profiles)
	if !is {
		return usagef("-profiles %s: write serve+http://HOST:PORT or pyroscope+http://HOST:PORT", f.profiles)
	}
	server, query, err := f.remote.at(f.profiles)
	if err != nil {
		return err
	}
	if query.Token, err = secret(env.opener(ctx, "compare"), f.tokenFile, "HEAPWRIGHT_TOKEN"); err != nil {
		return usageError{err}
	}
	c, err := versions.Ask(ctx, server, query, f.base)
	if err != nil {
		return err
	}
	if f.json {
		return termtext.JSON(env.Stdout, c)
	}
	return view.VersionsText(env.Stdout, c)
}
