// Command gateway is an API gateway as many a company runs one: it authorises
// a request, routes it, takes JSON in, asks several upstreams over loopback at
// the same time, and gives JSON out.
//
// Its memory behaviour is known. The sessions of the users who are logged in
// live as long as the process: -live bytes in small objects with pointers.
// Everything else, decoded bodies, upstream calls, the merged answer, and
// -garbage bytes of working memory per request, is garbage when the request
// ends. So with a small live heap GOGC=100 collects many times a second and
// requests pay mark assists: the story that memory ballasts come from, and a
// heap floor answers. With -upstream the working memory of all requests under
// way lives that long, so that the live heap rises and falls with the load. With
// -outside memory that is not the Go heap's grows beside it. With -leak sessions
// of users who never come again are kept, so many bytes more each second.
//
// Expected, as measured with -garbage 512KiB on two shared cores, 20 requests
// a second and 400 in a storm (docs/results/claims.md): a floor of 1.5 GiB
// takes away 98% of a storm's collections and of its mark assist, a quarter
// of the CPU of a request, and two thirds of its p99.
//
//	gateway -addr 127.0.0.1:8080 -live 50MiB -garbage 64KiB
//	curl -H "Authorization: Bearer $(gateway -token user-7)" http://127.0.0.1:8080/v1/orders/7
//
// The upstreams are goroutines of the same process that listen on ports of
// their own; nothing leaves the machine. /healthz answers when the gateway is
// ready, /metrics serves Prometheus, /debug/pprof/ profiles. SIGTERM and
// SIGINT stop it cleanly: requests under way are answered.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/workloads/program/command"
	"github.com/heapwright/heapwright/workloads/program/outside"
	"github.com/heapwright/heapwright/workloads/program/service"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command.Exit("gateway", run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It prints the address once it serves.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("gateway", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "address to serve on; port 0 takes a free one")
	live := flags.String("live", "50MiB", "live heap: the sessions")
	garbage := flags.String("garbage", "64KiB", "working memory of a request")
	delay := flags.Duration("upstream", 0, "how long an upstream takes to answer; a request holds its working memory meanwhile")
	beyond := flags.String("outside", "0", "memory outside the Go heap, as of a C library's cache (Unix only)")
	within := flags.Duration("outside-within", 10*time.Second, "how long that memory takes to grow")
	leaks := flags.String("leak", "0", "by how much the live heap grows in a second, for ever")
	secret := flags.String("secret", "not a secret", "key that tokens are signed with")
	token := flags.String("token", "", "print the token of this user and end")
	if err := command.Parse(flags, args, stderr); err != nil {
		return err
	}
	sizes := map[string]int{"-live": 0, "-garbage": 0, "-outside": 0, "-leak": 0}
	for name, text := range map[string]string{"-live": *live, "-garbage": *garbage, "-outside": *beyond, "-leak": *leaks} {
		bytes, err := gctune.ParseSize(text)
		if err != nil {
			return command.Usagef("%s: %w", name, err)
		}
		sizes[name] = int(bytes)
	}
	for name, d := range map[string]time.Duration{"-upstream": *delay, "-outside-within": *within} {
		if d < 0 {
			return command.Usagef("%s %v: give a duration from 0 on, such as 50ms", name, d)
		}
	}

	// A client needs a token before there is a server.
	signer := signer(*secret)
	if *token != "" {
		fmt.Fprintln(stdout, signer.token(*token))
		return nil
	}

	listener, err := service.Listen(*addr)
	if err != nil {
		return err
	}
	upstreams, err := startUpstreams(*delay)
	if err != nil {
		listener.Close()
		return err
	}
	defer upstreams.close()
	g := &gateway{signer: signer, sessions: newSessions(sizes["-live"]), upstreams: upstreams, garbage: sizes["-garbage"]}
	server := service.Start(listener, g.handler())

	// Memory that grows besides the requests does so while the server runs. If it cannot,
	// the server ends, because a measurement would be of something else.
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if bytes := sizes["-outside"]; bytes > 0 {
		go func() {
			if err := outside.Grow(bytes, *within); err != nil {
				fail(err)
			}
		}()
	}
	if bytes := sizes["-leak"]; bytes > 0 {
		go leak(ctx, bytes)
	}
	err = errors.Join(server.Wait(ctx, stdout), server.Stop())
	if cause := context.Cause(ctx); cause != context.Canceled {
		err = errors.Join(cause, err)
	}
	return err
}
