package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	defaultGrace       = 2 * time.Second
	defaultWaitDelay   = 500 * time.Millisecond
	defaultStdoutLimit = 16 << 20
)

func (c Command) withDefaults() Command {
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	if c.WaitDelay == 0 {
		c.WaitDelay = defaultWaitDelay
	}
	if c.StdoutLimit == 0 {
		c.StdoutLimit = defaultStdoutLimit
	}
	return c
}

// Run runs the command in a process group of its own and waits for its end. A
// run that fails in whatever way is an Outcome with its Failure set; an error
// means that the program could not be started, or that ctx ended, in which
// case the Outcome still holds the figures until then. When Run returns, nothing of the
// process group lives; a process that left the group is out of its reach.
//
// Run may be called concurrently, but then runs disturb each other's figures,
// and without Memory an OOM kill of one may be taken for the end of another.
func Run(ctx context.Context, c Command) (Outcome, error) {
	if err := context.Cause(ctx); err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", c.Path, err)
	}
	bounds, confined := confinement(ctx)
	if confined {
		c.confined, c.Env = OwnNetwork(), append(Scrubbed(c.Env), "GOPROXY=off")
	}
	r, err := Start(c)
	if err != nil {
		return Outcome{}, err
	}
	exceeded, unwatch := r.watch(bounds.Memory)
	stopped := r.await(ctx, exceeded)
	unwatch()
	if stopped != nil {
		r.end()
	}
	out, err := r.finish(stopped)
	if stopped == errMemory {
		out.Failure = fmt.Sprintf("it took more than %d MiB of memory", bounds.Memory>>20)
	}
	if err == nil && stopped != nil && stopped != errTimeout && stopped != errMemory {
		err = fmt.Errorf("run %s: %w", c.Path, stopped)
	}
	return out, err
}

var errTimeout, errMemory = errors.New("timed out"), errors.New("took too much memory")

// await waits until the process has ended by itself, which gives nil, its time
// is up, its memory exceeded or ctx is done.
func (r *Running) await(ctx context.Context, exceeded <-chan struct{}) (stopped error) {
	var timeout <-chan time.Time
	if r.cmd.Timeout > 0 {
		timer := time.NewTimer(r.cmd.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case <-r.exited:
		return nil
	case <-timeout:
		return errTimeout
	case <-exceeded:
		r.process.kill()
		return errMemory
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// program is a command made ready for the kernel.
type program struct {
	path string // absolute
	argv []string
	dir  string
	env  []string
	join string // file of a control group to join first; "" is none

	confined bool
}

func (c Command) resolve() (program, error) {
	path, err := exec.LookPath(c.Path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return program{}, fmt.Errorf("start %s: %w%s", c.Path, err, startRemedy(c.Path, err))
	}
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil {
			return program{}, fmt.Errorf("start %s: %w; make the directory or name another", c.Path, err)
		} else if !info.IsDir() {
			return program{}, fmt.Errorf("start %s in %s: not a directory; name another", c.Path, c.Dir)
		}
	}
	// exec.Cmd knows the rules for environments: the last of equal keys
	// counts, PWD follows Dir.
	env := (&exec.Cmd{Dir: c.Dir, Env: c.Env}).Environ()
	p := program{path: path, argv: append([]string{c.Path}, c.Args...), dir: c.Dir, env: env, confined: c.confined}
	for _, s := range append(append([]string{p.path, p.dir}, p.argv...), p.env...) {
		if strings.ContainsRune(s, 0) {
			return program{}, fmt.Errorf("start %s: %q holds a NUL byte, which no argument or variable can; remove it",
				c.Path, s)
		}
	}
	return p, nil
}

func startRemedy(path string, err error) string {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return "; check the name, or give the path of the program"
	case errors.Is(err, os.ErrPermission) && noexec(path):
		return "; its file system is mounted noexec; " + noexecRemedy(path)
	case errors.Is(err, os.ErrPermission):
		return "; make it executable (chmod +x)"
	case errors.Is(err, syscall.ENOEXEC):
		return "; it is no program for this system: build it for " + platform
	}
	return ""
}

// streams are the standard streams of a child and our ends of them.
type streams struct {
	child   [3]*os.File // the child's descriptors 0, 1, 2
	ours    [2]*os.File
	copied  chan struct{} // receives one value per stream that has ended
	pending int
}

func openStreams(stdin string, stdout, stderr io.Writer) (*streams, error) {
	s := &streams{copied: make(chan struct{}, 2)}
	var err error
	if s.child[0], err = os.Open(cmp.Or(stdin, os.DevNull)); err != nil {
		return nil, err
	}
	for i, w := range []io.Writer{stdout, stderr} {
		if s.ours[i], s.child[1+i], err = os.Pipe(); err != nil {
			s.close()
			return nil, err
		}
		s.pending++
		go func(r *os.File) {
			io.Copy(w, r) // the only error is that we closed it
			s.copied <- struct{}{}
		}(s.ours[i])
	}
	return s, nil
}

// started gives up the child's ends, so that the streams end with the child.
func (s *streams) started() {
	for _, f := range s.child {
		f.Close()
	}
}

// drain waits for the end of both streams, at most for d.
func (s *streams) drain(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for s.pending > 0 {
		select {
		case <-s.copied:
			s.pending--
		case <-timer.C:
			return
		}
	}
}

// close closes every end that is open and waits until nothing reads.
func (s *streams) close() {
	for _, f := range append(s.child[:], s.ours[:]...) {
		if f != nil {
			f.Close()
		}
	}
	for ; s.pending > 0; s.pending-- {
		<-s.copied
	}
}
