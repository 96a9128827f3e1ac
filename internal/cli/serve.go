package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/alert"
	"github.com/heapwright/heapwright/internal/serve/client"
	"github.com/heapwright/heapwright/internal/serve/demo"
	"github.com/heapwright/heapwright/internal/serve/discover"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/serve/web"
	"github.com/heapwright/heapwright/internal/store"
)

var serveCommand = command{
	name:  "serve",
	args:  "[flags] [SERVICE=URL...] | -demo",
	short: "watch a fleet of services, and rank what each line of them could save",
	long: `
Serve takes profiles of services on a schedule, keeps them for a month, and shows pages:
the findings of diagnose for each service, ranked over the fleet by what they could save,
with flame graphs of any window of time, and the processes that came near their limit of
memory.

  heapwright serve -demo
  heapwright serve checkout=http://10.0.0.7:6060 search=http://10.0.0.8:6060
  heapwright serve -core-hour 0.04 -gib-hour 0.0044
  heapwright serve -listen :7070 -cert cert.pem -key key.pem -read-tokens readers -write-tokens writers

Each URL is one process, and a service may have several. Without targets, serve takes
those of heapwright.toml, or only what is pushed to it. The services need net/http/pprof.
Other machines reach serve only if tokens, client certificates or -insecure-no-auth say
how it is protected.`,
	prepare: func(fs *flagSet) runner {
		f := &serveFlags{}
		f.register(fs)
		return f.run
	},
}

type serveFlags struct {
	opts                   serve.Options
	listener               web.Listener
	targets                []string
	demo                   bool
	demoService            string
	readTokens, writeToken string
	scrapeToken            string
	fromToken              string // the file, and then the token in it
	webhookToken           string
	otlp                   bool
	scrape                 collect.Access // files of certificates
	from                   string
	pyroscope              string // the address in from
	ends                   time.Duration
}

func (f *serveFlags) register(fs *flagSet) {
	o := &f.opts
	fs.target.common.BoolVar(&f.demo, "demo", false,
		"watch three small services inside this program, each with a planted problem")
	fs.target.common.StringVar(&f.from, "from", "",
		"let a Pyroscope keep the profiles: pyroscope=`URL`")
	fs.former("demo-service", func(name string) error { f.demoService = name; return nil })
	fs.target.common.Func("targets",
		"watch the processes of `LIST`: SERVICE=URL, with commas between them",
		func(s string) error {
			f.targets = append(f.targets, strings.Split(s, ",")...)
			return nil
		})
	listFlag(&fs.target.rare, "file-sd",
		"watch the targets in the files that match `PATTERNS`, in Prometheus's format of file_sd",
		func(s string) error { o.Sources = append(o.Sources, discover.Files(s)); return nil })
	listFlag(&fs.target.rare, "http-sd", "watch the targets that `URLS` answer, in Prometheus's format of http_sd",
		func(s string) error { o.Sources = append(o.Sources, discover.HTTP(s)); return nil })
	listFlag(&fs.target.rare, "dns", "watch the addresses of `NAMES`: SERVICE=NAME:PORT, or SERVICE=_http._tcp.NAME",
		func(s string) error {
			d, err := discover.ParseDNS(s)
			o.Sources = append(o.Sources, d)
			return err
		})
	listFlag(&fs.target.rare, "pods",
		"watch the pods of `NAMESPACES` of this Kubernetes cluster that are annotated for it; all is every namespace",
		func(s string) error { o.Sources = append(o.Sources, discover.Pods(s)); return nil })
	fs.target.rare.String("C", "", "look for heapwright.toml from `DIR` up")
	fs.target.rare.String("config", "",
		"read settings from `FILE` (default: the nearest heapwright.toml); none reads no file")
	leastFlag(&fs.service.common, &o.Schedule.Heap, "heap-every", 15*time.Second, time.Second,
		"take heap profiles and figures every `TIME`")
	leastFlag(&fs.service.common, &o.Schedule.CPU, "cpu-every", 5*time.Minute, time.Second,
		"take CPU profiles every `TIME`")
	leastFlag(&fs.service.rare, &o.Schedule.Record, "cpu-duration", 5*time.Second, time.Second,
		"record each CPU profile for `TIME`")
	leastFlag(&fs.service.rare, &o.Schedule.Goroutine, "goroutine-every", time.Minute, time.Second,
		"take goroutine profiles every `TIME`")
	fs.service.rare.Func("alarm",
		"take profiles at once when a process uses `SHARE` of its limit of memory (default 80%)",
		func(s string) (err error) {
			o.Alarm.Share, err = parseShare(s)
			return err
		})
	fs.service.rare.StringVar(&f.scrapeToken, "scrape-token-file", "",
		"send the bearer token in `FILE` to the targets")
	fs.service.rare.StringVar(&f.fromToken, "from-token-file", "", "send the bearer token in `FILE` to the server of -from")
	fs.service.rare.StringVar(&f.scrape.Cert, "scrape-cert", "",
		"show the certificate in `FILE` to the targets, or to the server of -from")
	fs.service.rare.StringVar(&f.scrape.Key, "scrape-key", "", "the key of -scrape-cert is in `FILE`")
	fs.service.rare.StringVar(&f.scrape.CA, "scrape-ca", "",
		"check the certificates of targets, or of the server of -from, with those in `FILE`")
	listFlag(&fs.service.rare, "requests",
		"compare versions per request, by the counters `NAMES` in /metrics (default: what common libraries have)",
		func(s string) error { o.Requests = append(o.Requests, s); return nil })
	fs.view.common.StringVar(&f.listener.Address, "listen", "127.0.0.1:7070", "answer at `ADDRESS`")
	fs.view.rare.DurationVar(&f.ends, "for", 0, "end after `TIME` (default: never)")
	leastFlag(&fs.view.common, &o.Window, "window", time.Hour, time.Minute, "judge the last `TIME`")
	leastFlag(&fs.view.rare, &o.Judge, "judge-every", 2*time.Minute, time.Second, "judge all services every `TIME`")
	fs.view.rare.StringVar(&f.readTokens, "read-tokens", "",
		"let those read whose bearer token or cert:NAME is in `FILE`, one a line, if need be after a TENANT")
	fs.view.rare.StringVar(&f.writeToken, "write-tokens", "",
		"let those push profiles whose bearer token or cert:NAME is in `FILE`")
	fs.view.rare.BoolVar(&f.otlp, "otlp", false, "take profiles of OTLP (v1development), whose format is not stable yet")
	fs.view.rare.StringVar(&f.listener.Cert, "cert", "", "answer with TLS and the certificate in `FILE`")
	fs.view.rare.StringVar(&f.listener.Key, "key", "", "the key of -cert is in `FILE`")
	fs.view.rare.StringVar(&f.listener.ClientCA, "client-ca", "",
		"ask clients for a certificate that one in `FILE` has signed")
	fs.view.rare.BoolVar(&f.listener.NoAuth, "insecure-no-auth", false,
		"let everybody read and push who can reach the address")
	listFlag(&fs.view.rare, "webhooks", "send alarms to `URLS`, in the format of Alertmanager's API v2",
		func(s string) error {
			address, err := alert.ParseURL(s)
			o.Alerts.URLs = append(o.Alerts.URLs, address)
			return err
		})
	fs.view.rare.StringVar(&f.webhookToken, "webhook-token-file", "", "send the bearer token in `FILE` with alarms")
	fs.view.rare.StringVar(&o.Alerts.Page, "page-url", "",
		"link alarms to the pages at `URL` (default: the address that serve listens at)")
	fs.prices.common.Float64Var(&o.Rates.CoreHour, "core-hour", 0, "`COST` of a core for an hour")
	fs.prices.common.Float64Var(&o.Rates.GiBHour, "gib-hour", 0, "`COST` of a GiB of memory for an hour")
	fs.output.common.StringVar(&o.Dir, "o", filepath.Join("heapwright-out", "serve"), "keep profiles in `DIR`")
	leastFlag(&fs.output.common, &o.Store.MaxAge, "keep", 31*24*time.Hour, time.Hour, "remove profiles after `TIME`")
	fs.output.common.Func("keep-bytes",
		"remove the oldest days when all profiles take more than `SIZE` (default 10GiB)", func(s string) (err error) {
			o.Store.MaxBytes, err = gctune.ParseSize(s)
			return err
		})
	fs.output.rare.Func("queue-bytes",
		"drop the oldest profiles that wait for the Pyroscope of -from beyond `SIZE` (default 1GiB)", func(s string) (err error) {
			o.Queue, err = gctune.ParseSize(s)
			return err
		})
}

// listFlag adds each part of a list with commas.
func listFlag(section *flag.FlagSet, name, usage string, add func(string) error) {
	section.Func(name, usage, func(list string) error {
		for s := range strings.SplitSeq(list, ",") {
			if err := add(strings.TrimSpace(s)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *serveFlags) run(ctx context.Context, env Env, args arguments) error {
	if f.demoService != "" {
		return demo.Run(ctx, f.demoService, os.Stdin, env.Stdout)
	}
	if args.after != nil || f.demo && len(args.names) > 0 {
		return usagef("serve takes targets as SERVICE=URL, or -demo alone")
	}
	if r := f.opts.Rates; !(r.CoreHour >= 0 && r.GiBHour >= 0) {
		return usagef("-core-hour and -gib-hour are costs, and not negative")
	}
	targets, err := scrape.ParseTargets(append(f.targets, args.names...))
	if err != nil {
		return usageError{err}
	}
	access, err := f.access(ctx, env.opener(ctx, "serve"))
	if err != nil {
		return usageError{err}
	}
	if err := f.origin(); err != nil {
		return usageError{err}
	}
	f.opts.Log = slog.New(slog.NewTextHandler(env.Stderr, nil))
	release, err := args.withoutSecrets().claim(env, f.opts.Dir)
	if errors.Is(store.OnDisk(err), store.ErrDisk) { // the profiles in it can still be read
		f.opts.Log.Error("the folder is not claimed", "error", err)
		release, err = func() {}, nil
	}
	if err != nil {
		return err
	}
	defer release()
	if f.ends > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.ends)
		defer cancel()
	}
	if f.demo {
		f.opts.ForDemo()
		started, wait, err := demo.Start(ctx, func(name string) []string {
			return []string{"serve", "-config=none", "-demo-service", name}
		})
		if err != nil {
			return err
		}
		defer wait()
		targets = started
	}
	f.opts.Sources = append(f.opts.Sources, discover.Static(targets))
	return f.serve(ctx, env, access)
}

// withoutSecrets leaves only the name of the command, because its URLs may have secrets.
func (a arguments) withoutSecrets() arguments {
	a.typed = a.typed[:1]
	return a
}

// serve answers and watches until the context ends.
func (f *serveFlags) serve(ctx context.Context, env Env, access web.Access) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l, err := f.listener.Open(ctx, access)
	if err != nil {
		if errors.Is(err, web.ErrUnprotected) {
			return usageError{err}
		}
		return err
	}
	address := f.listener.URL(l.Addr())
	f.opts.Alerts.Page = strings.TrimSuffix(cmp.Or(f.opts.Alerts.Page, address), "/")
	servers, err := f.open(access.Tenants())
	if err != nil {
		l.Close()
		return err
	}
	fmt.Fprintln(env.Stdout, address)
	if err := result.Replace(filepath.Join(f.opts.Dir, "url"), func(w io.Writer) error {
		_, err := fmt.Fprintln(w, address)
		return err
	}); err != nil { // the disk may be full, and the pages still readable
		f.opts.Log.Error("the address is only in the output", "error", err)
	}
	ran := make(chan error, len(servers))
	for _, s := range servers {
		go func() { ran <- s.Run(ctx) }()
	}
	own := servers[""]
	delete(servers, "")
	err = web.Serve(ctx, l, web.New(own, web.Options{Access: access, Tenants: servers, OTLP: f.otlp, Rates: f.opts.Rates, Log: f.opts.Log}))
	cancel()
	for range cap(ran) {
		err = errors.Join(err, <-ran)
	}
	return err
}

// open opens the servers of all tenants, by their names.
func (f *serveFlags) open(tenants []string) (map[string]*serve.Server, error) {
	f.opts.Judging = new(sync.Mutex)
	servers := map[string]*serve.Server{}
	for _, tenant := range append([]string{""}, tenants...) {
		opts := f.opts.For(tenant, tenants)
		if f.pyroscope != "" {
			auth := client.Auth{Token: f.fromToken, Tenant: tenant, TLS: opts.TLS}
			if tenant == "" && len(tenants) > 0 {
				auth.Tenant = client.Anonymous
			}
			opts.From = client.NewStore(f.pyroscope, auth)
		}
		if err := result.MakeRoom(opts.Dir, "-o"); err != nil && !errors.Is(store.OnDisk(err), store.ErrDisk) {
			return nil, err
		}
		s, err := serve.Open(opts)
		if err != nil {
			return nil, err
		}
		servers[tenant] = s
	}
	return servers, nil
}

// origin reads the address of -from the store.
func (f *serveFlags) origin() error {
	if f.from == "" {
		return nil
	}
	address, ok := strings.CutPrefix(f.from, "pyroscope=")
	if is, _ := client.Is("pyroscope+" + address); !ok || !is {
		return fmt.Errorf("-from %s: write pyroscope=http://HOST:4040", f.from)
	}
	if u, err := url.Parse(address); err != nil || u.User != nil || u.RawQuery != "" {
		return errors.New("-from: the URL has a password or a query, or cannot be read; give a token with -from-token-file")
	}
	f.pyroscope = address
	return nil
}

func (f *serveFlags) access(ctx context.Context, files input.Opener) (access web.Access, err error) {
	access.AnyHost = f.listener.NoAuth
	for _, from := range []struct {
		file string
		to   *[]web.Identity
	}{{f.readTokens, &access.Read}, {f.writeToken, &access.Write}} {
		if from.file == "" {
			continue
		}
		if *from.to, err = web.Identities(ctx, from.file); err != nil {
			return access, err
		}
	}
	for _, from := range []struct {
		file string
		to   *string
	}{{f.scrapeToken, &f.opts.Token}, {f.webhookToken, &f.opts.Alerts.Token}, {f.fromToken, &f.fromToken}} {
		if from.file == "" {
			continue
		}
		if *from.to, err = secret(files, from.file, ""); err != nil {
			return access, err
		}
	}
	if f.scrape.CA+f.scrape.Cert+f.scrape.Key != "" {
		if f.opts.TLS, err = f.scrape.TLS(ctx); err != nil {
			return access, err
		}
	}
	return access, access.Check()
}
