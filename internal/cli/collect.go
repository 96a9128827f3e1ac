package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
)

var collectCommand = command{
	name:  "collect",
	args:  "[flags] URL",
	short: "fetch the profiles of a live service into files, with a sum of what they say",
	long: `
Fetches from a service's /debug/pprof and /debug/vars: heap profiles before and
after a window, what was allocated within it, a CPU profile of it, goroutines,
mutex and block profiles where the service records them, GC statistics and build
information. URL is the service's root or anything under /debug/pprof.

  heapwright collect http://localhost:6060
  heapwright collect https://api.example.org -duration 1m -token-file token -o profiles

Files are named by service, type and UTC time, and no file is ever written over.
result.json is the document of the last collection in the folder; each one's own
is SERVICE-result-TIME.json.

A token or password comes from a file, or from HEAPWRIGHT_TOKEN or
HEAPWRIGHT_PASSWORD in the environment, never from the command line, where others
see it.

Exit codes: 0 all is there; 1 nothing could be had, or interrupted (what was
complete is kept); 2 the command line is wrong: trying again will not help;
4 part of it failed and the rest is kept.`,
	prepare: func(fs *flag.FlagSet) runner {
		f := &collectFlags{}
		f.register(fs)
		return f.run
	},
}

type collectFlags struct {
	plan                    collect.Plan
	tokenFile, passwordFile string
}

func (f *collectFlags) register(fs *flag.FlagSet) {
	p := &f.plan
	fs.StringVar(&p.Dir, "o", filepath.Join("heapwright-out", "collect"), "write files to `DIR`")
	fs.StringVar(&p.Service, "service", "", "name the files after `SERVICE` (default: host and port)")
	fs.DurationVar(&p.Duration, "duration", collect.DefaultDuration, "record CPU, and count what is allocated, for this long")
	fs.DurationVar(&p.Trace, "trace", 0, "also record an execution trace for this long; it slows the service down")
	fs.BoolVar(&p.GC, "gc", false, "let the service collect garbage before each heap profile, which makes them exact")
	fs.DurationVar(&p.Timeout, "timeout", collect.DefaultTimeout, "give up on an answer after this, on top of what is recorded")
	maxBytesFlag(fs, &p.MaxBytes, "refuse an answer")
	f.registerAccess(fs)
}

// registerAccess registers what says how a service lets one in.
func (f *collectFlags) registerAccess(fs *flag.FlagSet) {
	a := &f.plan.Access
	fs.StringVar(&a.CA, "ca", "", "check the server's certificate with those of a PEM `FILE`")
	fs.StringVar(&a.Cert, "cert", "", "identify with the client certificate in a PEM `FILE`")
	fs.StringVar(&a.Key, "key", "", "the `FILE` of its private key")
	fs.BoolVar(&a.Insecure, "insecure", false, "do not check the server's certificate; the result says so")
	fs.StringVar(&f.tokenFile, "token-file", "", "send the bearer token in `FILE` (default: HEAPWRIGHT_TOKEN, if set)")
	fs.StringVar(&a.User, "user", "", "log in as `NAME` by basic authentication")
	fs.StringVar(&f.passwordFile, "password-file", "", "with the password in `FILE` (default: HEAPWRIGHT_PASSWORD)")
	fs.Func("header", "send the header `NAME:VALUE`; may be repeated", f.header)
	fs.BoolVar(&a.Redirects, "allow-redirects", false, "follow redirects to other hosts, without credentials and headers")
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
	if err := errors.Join(f.credentials(), p.Check()); err != nil {
		return usageError{err}
	}
	p.Event = func(e collect.Event) {
		if e.File != "" {
			fmt.Fprintf(env.Stderr, "%-10s %s\n", e.Type, filepath.Join(p.Dir, e.File))
		} else {
			fmt.Fprintf(env.Stderr, "%-10s recording for %v …\n", e.Type, e.Recording)
		}
	}
	start := time.Now()
	doc, err := collect.Run(ctx, *p)
	if doc != nil {
		err = errors.Join(err, doc.Print(env.Stdout))
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

// credentials reads what must not be on a command line.
func (f *collectFlags) credentials() (err error) {
	a := &f.plan.Access
	if a.User != "" {
		if f.tokenFile != "" {
			return errors.New("-token-file and -user exclude each other")
		}
		a.Password, err = secret(f.passwordFile, "HEAPWRIGHT_PASSWORD")
		if err == nil && a.Password == "" {
			err = errors.New("-user takes a password: give -password-file, or HEAPWRIGHT_PASSWORD in the environment")
		}
		return err
	}
	if f.passwordFile != "" {
		return errors.New("-password-file takes a -user")
	}
	a.Token, err = secret(f.tokenFile, "HEAPWRIGHT_TOKEN")
	return err
}

// secret reads a file, or the environment where no file is named.
func secret(file, variable string) (string, error) {
	if file == "" {
		return strings.TrimSpace(os.Getenv(variable)), nil // a secret made of a file ends in a newline
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	s := strings.TrimSpace(string(b))
	if s == "" {
		return "", fmt.Errorf("%s is empty", file)
	}
	return s, nil
}
