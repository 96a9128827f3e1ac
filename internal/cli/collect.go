package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/termtext"
)

var collectCommand = command{
	name:  "collect",
	args:  "[flags] URL",
	short: "save profiles of a live service to files, and summarize them",
	long: `
Collect records a CPU profile of a service over a window of time. It also fetches
heap profiles before and after the window and computes the allocations in between,
and fetches goroutines, GC statistics, build information, and mutex and block
profiles if the service records them. URL is the service's root or anything below
/debug/pprof.

  heapwright collect http://localhost:6060
  heapwright collect https://api.example.org -duration 1m -token-file token -o profiles

File names consist of service, type and UTC time; no file is overwritten. Each
collection writes SERVICE-result-TIME.json, and result.json is a copy of the last one.

Tokens and passwords are read from a file, or from HEAPWRIGHT_TOKEN and
HEAPWRIGHT_PASSWORD in the environment. Flags cannot hold them, because other
users of the machine can see command lines.

Exit codes: 0 complete; 1 nothing collected, or interrupted (complete files are
kept); 2 the command line is wrong; 4 part of it failed, and the rest is kept.`,
	prepare: func(fs *flagSet) runner {
		f := &collectFlags{}
		f.register(fs)
		return f.run
	},
}

type collectFlags struct {
	plan                    collect.Plan
	tokenFile, passwordFile string
	json                    bool
}

func (f *collectFlags) register(fs *flagSet) {
	p := &f.plan
	fs.output.common.StringVar(&p.Dir, "o", filepath.Join("heapwright-out", "collect"), "write files to `DIR`")
	fs.service.rare.StringVar(&p.Service, "service", "", "use `SERVICE` as the first part of file names (default: host and port)")
	durationFlag(fs, &p.Duration, collect.DefaultDuration)
	fs.service.rare.DurationVar(&p.Trace, "trace-duration", 0, "also record an execution trace for `TIME`, which slows the service down")
	fs.former("trace", func(s string) error { return fs.all.Set("trace-duration", s) })
	gcFlag(fs, &p.GC, "never")
	maxBytesFlag(fs, &p.MaxBytes, "reject responses")
	jsonFlag(fs, &f.json)
	f.registerAccess(fs)
}

func durationFlag(fs *flagSet, d *time.Duration, usual time.Duration) {
	fs.service.common.DurationVar(d, "duration", usual, "record a live service for `TIME`")
}

// gcFlag registers -gc. without says when the service collects where it is not given.
func gcFlag(fs *flagSet, gc *collect.When, without string) {
	fs.service.rare.BoolFunc("gc", "make a live service run GC before each heap profile, so that the profile "+
		"shows the heap at that time; without it, "+without, func(s string) error {
		always, err := strconv.ParseBool(s)
		*gc = collect.Never
		if always {
			*gc = collect.Always
		}
		return err
	})
}

// registerAccess registers the flags for access to a service.
func (f *collectFlags) registerAccess(fs *flagSet) {
	a, access := &f.plan.Access, &fs.service.rare
	access.DurationVar(&f.plan.Timeout, "timeout", collect.DefaultTimeout, "stop waiting for a response this `TIME` after its recording should have ended")
	access.StringVar(&a.CA, "ca", "", "verify the server's certificate with the CA certificates in a PEM `FILE`")
	access.StringVar(&a.Cert, "cert", "", "present the client certificate in a PEM `FILE`")
	access.StringVar(&a.Key, "key", "", "use the private key of the client certificate in a PEM `FILE`")
	access.BoolVar(&a.Insecure, "insecure", false, "do not verify the server's certificate; the result mentions it")
	access.StringVar(&f.tokenFile, "token-file", "", "send the bearer token in `FILE` (default: HEAPWRIGHT_TOKEN, if set)")
	access.StringVar(&a.User, "user", "", "log in as `NAME` by basic authentication")
	access.StringVar(&f.passwordFile, "password-file", "", "log in with the password in `FILE` (default: HEAPWRIGHT_PASSWORD)")
	access.Func("header", "send the header `NAME:VALUE`; may be repeated", f.header)
	access.BoolVar(&a.Redirects, "allow-redirects", false, "follow redirects to other hosts, which get neither credentials nor headers")
}

func (f *collectFlags) header(s string) error {
	name, value, ok := strings.Cut(s, ":")
	name = textproto.TrimString(name)
	switch {
	case !ok || name == "":
		return errors.New("write NAME:VALUE")
	case strings.EqualFold(name, "Authorization"):
		return errors.New("others see it there; give -token-file, or -user and -password-file")
	}
	if f.plan.Access.Header == nil {
		f.plan.Access.Header = http.Header{}
	}
	f.plan.Access.Header.Add(name, textproto.TrimString(value))
	return nil
}

func (f *collectFlags) run(ctx context.Context, env Env, args arguments) error {
	if len(args.names) != 1 || args.after != nil {
		return usagef("give the URL of one service, such as http://localhost:6060")
	}
	p := &f.plan
	p.URL, p.Tool = args.names[0], version()
	if err := errors.Join(f.credentials(env.opener(ctx, "collect")), p.Check(ctx)); err != nil {
		return usageError{err}
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Event = func(e collect.Event) {
		if e.File == "" {
			progress.Handle(e.Progress())
		} else {
			fmt.Fprintf(progress, "%-10s %s\n", e.Type, termtext.Harmless(filepath.Join(p.Dir, e.File)))
		}
	}
	keepBelow(p.MaxBytes)
	start := time.Now()
	args.saves()
	doc, err := collect.Run(ctx, *p)
	progress.Close()
	if doc != nil {
		if f.json {
			err = errors.Join(err, printFile(env, filepath.Join(p.Dir, "result.json")))
		} else {
			err = errors.Join(err, doc.Print(env.Stdout))
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("interrupted after %v; %s", time.Since(start).Round(time.Second), kept(doc, p.Dir))
	case errors.Is(err, collect.ErrIncomplete):
		return incompleteError{err}
	}
	return err
}

func kept(doc *collect.Document, dir string) string {
	if doc == nil {
		return "nothing was complete yet"
	}
	return fmt.Sprintf("%d complete files are kept in %s", len(doc.Files), dir)
}

// credentials reads the secrets, which must not be on a command line.
func (f *collectFlags) credentials(files input.Opener) (err error) {
	a := &f.plan.Access
	if a.User != "" {
		if f.tokenFile != "" {
			return errors.New("-token-file and -user exclude each other")
		}
		a.Password, err = secret(files, f.passwordFile, "HEAPWRIGHT_PASSWORD")
		if err == nil && a.Password == "" {
			err = errors.New("-user takes a password: give -password-file, or HEAPWRIGHT_PASSWORD in the environment")
		}
		return err
	}
	if f.passwordFile != "" {
		return errors.New("-password-file takes a -user")
	}
	a.Token, err = secret(files, f.tokenFile, "HEAPWRIGHT_TOKEN")
	return err
}

// secret reads a file, or the environment where no file is named.
func secret(files input.Opener, file, variable string) (string, error) {
	if file == "" {
		return strings.TrimSpace(os.Getenv(variable)), nil // a secret made of a file ends in a newline
	}
	b, err := files.ReadFile(file, 1<<20)
	if err != nil {
		return "", err
	}
	s := strings.TrimSpace(string(b))
	if s == "" {
		return "", fmt.Errorf("%s is empty", file)
	}
	return s, nil
}
