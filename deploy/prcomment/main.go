// Command prcomment keeps one comment of a pull or merge request up to date: it
// replaces the comment of an earlier run, or writes the first one.
//
//	prcomment [-name NAME] FILE
//
// FILE is Markdown, as "heapwright gate -markdown FILE" writes it: a regular file of
// at most 256 KiB, no link. NAME distinguishes several comments on one request. Host,
// request and token come from the environment of GitHub Actions (with GITHUB_TOKEN)
// or of GitLab CI (with GITLAB_COMMENT_TOKEN). Outside a request, and with a token
// that may not comment, as in pull requests from forks, it says so and writes nothing.
//
// Exit codes: 0 written, or not allowed to; 1 failed; 2 wrong usage.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// patience bounds all requests together, so that a host that does not answer
// cannot hold up a job.
const patience = time.Minute

func main() {
	name := flag.String("name", "gate", "tells several comments on one request apart")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "prcomment: name one Markdown file")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := run(ctx, os.Getenv, os.Stdout, *name, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "prcomment:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, getenv func(string) string, out io.Writer, name, file string) error {
	text, err := read(file)
	if err != nil {
		return err
	}
	mark, err := marker(name)
	if err != nil {
		return err
	}
	h, err := hostOf(getenv)
	if errors.Is(err, errNoRequest) {
		fmt.Fprintln(out, "prcomment: nothing written:", err)
		return nil
	}
	if err != nil {
		return err
	}
	done, err := put(ctx, h, mark, mark+"\n"+string(text))
	if errors.Is(err, errNotAllowed) {
		fmt.Fprintf(out, "prcomment: nothing written: %v; read the result in the job's summary or artifacts\n", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("comment on %s: %w", h.request, err)
	}
	fmt.Fprintf(out, "prcomment: %s the comment on %s\n", done, h.request)
	return nil
}
