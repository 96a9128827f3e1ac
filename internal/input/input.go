// Package input opens the files that a user names, and those that are found.
//
// The stance: a name promises nothing. The file may be a device that never ends, a pipe
// that nobody writes to, or of any size. Devices are refused, a pipe is read until the
// context ends, as standard input is, and nothing is read into memory without a limit. A file
// that nobody has named must be a regular one.
package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/heapwright/heapwright/internal/termtext"
)

// patience is how long a pipe may be silent before Waiting is called.
const patience = 2 * time.Second

// LongestName is PATH_MAX of Linux, in bytes. A profile may name a longer file, which
// cannot exist: looking for each end of such a path takes time that grows with the
// square of its length.
const LongestName = 4096

// Opener opens files for one command. The zero value is useful.
type Opener struct {
	Context context.Context   // ends waiting for a pipe; nil never does
	Waiting func(line string) // called once when a pipe has sent nothing for two seconds; nil is nobody
}

// Open opens a file or a pipe to be read once.
func (o Opener) Open(name string) (io.ReadCloser, error) {
	if info, err := os.Stat(name); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return o.openPipe(name)
	}
	f, err := OpenRegular(name)
	if err != nil {
		return nil, err // not f, which would be an io.ReadCloser that is not nil
	}
	return f, nil
}

// OpenRegular opens a regular file. A pipe is refused: files that no user has named are
// not waited for.
func OpenRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err == nil {
		err = checkReadable(name, info) // opening alone has effects on some devices
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = checkReadable(name, info) // something else may have taken its place
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadFile reads a file or a pipe of at most limit bytes.
func (o Opener) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := o.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(name, f, limit)
}

// ReadFile reads a file or a pipe of at most limit bytes. The context ends waiting for a
// pipe.
func ReadFile(ctx context.Context, name string, limit int64) ([]byte, error) {
	return Opener{Context: ctx}.ReadFile(name, limit)
}

// ReadRegular reads a regular file of at most limit bytes.
func ReadRegular(name string, limit int64) ([]byte, error) {
	f, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	return readAll(name, f, limit)
}

func readAll(name string, f io.ReadCloser, limit int64) ([]byte, error) {
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case int64(len(data)) > limit:
		return nil, tooLarge(name, limit)
	}
	return data, nil
}

// LeadsOut returns an error if a symbolic link in a name below root leads out of root.
// Any other error is left to the user of the name, who gets it again.
func LeadsOut(root, name string) error {
	var system syscall.Errno
	r, err := os.OpenRoot(root)
	if err == nil {
		defer r.Close()
		_, err = r.Stat(name)
	}
	if errors.As(err, &system) {
		return nil
	}
	return err
}

// CheckFile returns why others should not read a file whole: it is no regular
// file, or larger than limit.
func CheckFile(name string, limit int64) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case info.Size() > limit:
		return tooLarge(name, limit)
	}
	return checkReadable(name, info)
}

// checkReadable returns an error if something is no regular file.
func checkReadable(name string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name a file", termtext.Harmless(name))
	case info.Mode()&fs.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a pipe, which can be read only once; name a file", termtext.Harmless(name))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is a device or a socket; name a file or a pipe", termtext.Harmless(name))
	}
	return nil
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s is larger than %d bytes; is it the right file?", termtext.Harmless(name), limit)
}

// pipe is a pipe that is waited for no longer than the context lasts.
type pipe struct {
	*os.File
	ctx     context.Context
	forget  func() bool // stops watching the context
	silence *silence
}

// openPipe opens a pipe, which waits for somebody to open its other end.
func (o Opener) openPipe(name string) (io.ReadCloser, error) {
	ctx := cmp.Or(o.Context, context.Background())
	s := o.listen(name)
	type opening struct {
		f   *os.File
		err error
	}
	done := make(chan opening, 1)
	go func() {
		f, err := os.Open(name)
		done <- opening{f, err}
	}()
	select {
	case <-ctx.Done(): // the goroutine waits on until somebody writes or the process ends
		s.end()
		return nil, fmt.Errorf("%s: %w while waiting for data", name, context.Cause(ctx))
	case got := <-done:
		if got.err != nil {
			s.end()
			return nil, got.err
		}
		p := &pipe{File: got.f, ctx: ctx, silence: s}
		p.forget = context.AfterFunc(ctx, func() { p.SetReadDeadline(time.Unix(1, 0)) })
		return p, nil
	}
}

func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	if n > 0 {
		p.silence.end()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) && p.ctx.Err() != nil {
		err = fmt.Errorf("%w while waiting for data", context.Cause(p.ctx))
	}
	return n, err
}

func (p *pipe) Close() error {
	p.forget()
	p.silence.end()
	return p.File.Close()
}

// silence reports once that nothing comes.
type silence struct {
	once  sync.Once
	timer *time.Timer
}

func (o Opener) listen(name string) *silence {
	s := new(silence)
	if o.Waiting != nil {
		s.timer = time.AfterFunc(patience, func() {
			s.once.Do(func() {
				o.Waiting(termtext.Harmless(name) + " is a pipe that has sent nothing yet; waiting (Ctrl-C ends this)")
			})
		})
	}
	return s
}

// end ends the silence. Nothing is reported afterwards.
func (s *silence) end() {
	s.once.Do(func() {})
	if s.timer != nil {
		s.timer.Stop()
	}
}
