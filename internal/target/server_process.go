package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/process"
)

// readyServer is a server that is ready, and a client of it.
type readyServer struct {
	process *process.Running
	client  *load.Client
}

// grace is how long a server may take to end after SIGTERM. Requests
// under way have ended before that.
const grace = 5 * time.Second

var errEnded = errors.New("the server ended")

// serve starts the server, calls use when it is ready, and stops it. The
// context of use ends when the server does. serve returns the first error. If the server
// may have given the reason, that is a *RunError with its last output. Without an error,
// the server was stopped, or it ran out of memory under a load that lasts until it does.
func (t *Server) serve(ctx context.Context, inv Invocation, use func(context.Context, *readyServer) error) (process.Outcome, error) {
	// On a port that is taken, the load would measure another process.
	port := 0
	if t.requests.TakesAnyPort() {
		var err error
		if port, err = freePort(); err != nil {
			return process.Outcome{}, err
		}
	} else if err := t.portFree(ctx, t.requests.Address(0)); err != nil {
		return process.Outcome{}, err
	}
	cmd := inv.Command
	cmd.Args, cmd.Env, cmd.Grace = withPort(inv.Args, port), withPort(inv.Env, port), grace
	server, err := process.Start(cmd)
	if err != nil {
		return process.Outcome{}, err
	}

	// A load must not wait for a server that is gone.
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-server.Exited():
			cancel(errEnded)
		case <-running.Done():
		}
	}()

	s := &readyServer{process: server}
	stage := "before it was ready"
	s.client, err = t.awaitReady(running, port)
	if err == nil {
		stage = "under load"
		err = use(running, s)
		s.client.Close()
	}

	// An error of the load is often only the effect of the server's end, so that comes
	// first.
	ended := context.Cause(running) == errEnded
	cancel(nil)
	<-watched
	out, stopErr := server.Stop()
	t.ran = true
	switch {
	case ctx.Err() != nil:
		return process.Outcome{}, context.Cause(ctx)
	case ended && err == nil && out.OOMKilled && t.Plan.UntilEnd():
		return out, nil
	case ended:
		return process.Outcome{}, runError("the server ended "+stage+": "+out.Failure, out)
	case err != nil:
		return process.Outcome{}, runError(err.Error(), out)
	}
	return out, stopErr
}

// knowsPort fails where a server and its requests do not agree on who chooses the
// port. The environment may hold load.Port for another program.
func (t *Server) knowsPort(env []string) error {
	takes := func(s string) bool { return strings.Contains(s, load.Port) }
	told := slices.ContainsFunc(t.Args, takes)
	switch {
	case t.requests.TakesAnyPort() && !told && !slices.ContainsFunc(env, takes):
		return fmt.Errorf("nothing tells the server which port is free: write %[1]s in its arguments, or in a variable of its environment, as in PORT='%[1]s' heapwright …, or a fixed port in the URL", load.Port)
	case told && !t.requests.TakesAnyPort():
		return fmt.Errorf("%s stands in the arguments of the server, but not in the URL of its requests: write it there too", load.Port)
	}
	return nil
}

// withPort puts the port in the place of load.Port, in arguments or an environment.
func withPort(words []string, port int) []string {
	if port == 0 {
		return words
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ReplaceAll(w, load.Port, strconv.Itoa(port))
	}
	return out
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("no free port for the server: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// portFree fails if somebody listens at the address. Whether it can be listened
// at is asked too, for not every system refuses a second listener; that it is
// no address of this machine is found out by the server.
func (t *Server) portFree(ctx context.Context, address string) error {
	who := "something listens there already: stop it"
	if t.ran { // no process of its group lives, but one may have left the group
		who = "the server seems to have left a process behind in an earlier run: stop that and have the server end what it starts"
	}
	taken := fmt.Errorf("%s is taken, %s, or write %s for the port in -url and in the server's arguments to have a free one taken for every run", address, who, load.Port)
	dialer := net.Dialer{Timeout: time.Second}
	if conn, err := dialer.DialContext(ctx, "tcp", address); err == nil {
		conn.Close()
		return taken
	}
	l, err := net.Listen("tcp", address)
	if err == nil {
		return l.Close()
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return taken
	}
	return ctx.Err()
}

// readyPause is between two questions whether the server is ready: short beside
// the start of a process.
const readyPause = 20 * time.Millisecond

// awaitReady asks until the server answers, and returns a client of it.
func (t *Server) awaitReady(ctx context.Context, port int) (*load.Client, error) {
	limit := t.Ready.Timeout
	if limit == 0 {
		limit = DefaultReadyTimeout
	}
	deadline, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last error
	for {
		client, err := t.ask(deadline, port)
		if call := (*load.CallError)(nil); err == nil || errors.As(err, &call) {
			return client, err
		}
		if deadline.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-time.After(readyPause):
		case <-deadline.Done():
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("the server was not ready after %v: %w; see the URL and the port, give it longer with -load ready-timeout=TIME, or another URL to ask with -load ready=URL", limit, last)
		}
	}
}

// ask returns a client if the server is ready.
func (t *Server) ask(ctx context.Context, port int) (*load.Client, error) {
	if t.Ready.URL != "" {
		if err := askURL(ctx, strings.ReplaceAll(t.Ready.URL, load.Port, strconv.Itoa(port))); err != nil {
			return nil, err
		}
	}
	client, err := t.requests.Open(ctx, port)
	if err != nil || t.Ready.URL != "" {
		return client, err
	}
	err = client.Try(ctx)
	if status := (*load.StatusError)(nil); errors.As(err, &status) && status.Code < http.StatusInternalServerError {
		err = nil
	}
	if err != nil {
		client.Close()
		return nil, err
	}
	return client, nil
}

// asking follows no redirect: it is an answer, and leads to a server that nobody named.
var asking = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func askURL(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := asking.Do(request)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("GET %s: %s", url, answer.Status)
	}
	return nil
}
