package process

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"
)

// Confinement limits code that nobody has read while it runs. A context holds
// it, and not a command, so that no run of the experiments and proofs below can forget it.
//
// The processes get no variable of this process's environment but those that a toolchain
// needs, and the go command among them downloads nothing. On Linux, where a user may make
// user namespaces, they have a network of their own with nothing but its loopback, and no
// capabilities. The file system is this process's: a container is the remedy where that is
// too much.
type Confinement struct {
	// Memory is the resident memory in bytes that a process group may take; 0 is any. The
	// group is killed soon after it takes more, on Linux.
	Memory int64
}

type confinementKey struct{}

// Confine returns a context whose runs by [Run] are confined.
func Confine(ctx context.Context, c Confinement) context.Context {
	return context.WithValue(ctx, confinementKey{}, c)
}

func confinement(ctx context.Context) (c Confinement, ok bool) {
	c, ok = ctx.Value(confinementKey{}).(Confinement)
	return c, ok
}

// plainVariables are harmless, and tests or the go command may need them.
var plainVariables = []string{
	"PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "TMP", "TEMP", "XDG_CACHE_HOME",
	"GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOTMPDIR", "GOENV", "GOFLAGS", "GOWORK", "GOTOOLCHAIN",
	"GOOS", "GOARCH", "GOEXPERIMENT", "GODEBUG", "GOAMD64", "GOARM64", "CGO_ENABLED", "CC", "CXX",
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "LOCALAPPDATA", "APPDATA",
}

// Scrubbed returns an environment without the entries that come from this process's, but
// for harmless variables and the named ones. Entries that were set on purpose stay.
func Scrubbed(env []string, keep ...string) []string {
	if env == nil {
		env = os.Environ()
	}
	own := os.Environ()
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		kept := slices.Contains(plainVariables, strings.ToUpper(name)) || slices.Contains(keep, name)
		return slices.Contains(own, entry) && !kept
	})
}

// watchEvery is often enough for a program that takes a gigabyte in a second.
const watchEvery = 100 * time.Millisecond

// watch returns a channel that is closed once the process group takes more memory than it
// may, and a function that ends the watch.
func (r *Running) watch(limit int64) (exceeded <-chan struct{}, stop func()) {
	if limit <= 0 {
		return nil, func() {}
	}
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		ticker := time.NewTicker(watchEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if r.process.resident() > limit {
					close(over)
					return
				}
			}
		}
	}()
	return over, func() { close(done) }
}
