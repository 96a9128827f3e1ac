// Package auto starts gctune when it is imported and configures it from the
// environment. It is the way to try gctune on a service without changing its code:
//
//	import _ "github.com/heapwright/heapwright/gctune/auto"
//
// A wrong setting is never replaced by a default. It is an error on stderr that
// names the variable and the remedy. gctune then stays off, and the process runs
// as it would without it. An unknown variable with the prefix HEAPWRIGHT_GCTUNE_ is
// an error too, since it is most likely misspelt.
//
//	HEAPWRIGHT_GCTUNE=off                   do not start
//	HEAPWRIGHT_GCTUNE_MIN_HEAP=256MiB       heap floor
//	HEAPWRIGHT_GCTUNE_LIMIT=512MiB          memory limit; cgroup (default) or off
//	HEAPWRIGHT_GCTUNE_GOGC=100              growth over the live heap in percent, or off
//	HEAPWRIGHT_GCTUNE_MAX_GC_CPU=0.25       cap on the CPU of collections
//	HEAPWRIGHT_GCTUNE_MIN_GOGC=5            least growth in percent under a memory shortage
//	HEAPWRIGHT_GCTUNE_PROFILES=/some/dir    folder for profiles before memory runs out
//	HEAPWRIGHT_GCTUNE_PROFILES_AT=0.8       at this share of the limit, a first set at 3/4 of it
//	HEAPWRIGHT_GCTUNE_PROFILES_EVERY=1m     write them at most once in this time
//	HEAPWRIGHT_GCTUNE_PROFILES_KEEP=8       keep this many sets
package auto

import (
	"errors"
	"fmt"
	"os"

	"github.com/heapwright/heapwright/gctune"
)

// init starts gctune: a blank import has nothing else that could.
func init() {
	options, on, err := parse(os.Environ())
	if err == nil && on {
		err = start(options)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "gctune/auto: not started: %v\n", err)
	}
}

// start names the variable whose value gctune does not accept.
func start(options gctune.Options) error {
	_, err := gctune.Start(options)
	if o := (*gctune.OptionError)(nil); errors.As(err, &o) && variables[o.Option] != "" {
		return fmt.Errorf("%s: %s", variables[o.Option], o.Reason)
	}
	return err
}

// variables are the variables of the options that parse cannot judge by themselves.
var variables = map[string]string{"MinHeap": prefix + "_MIN_HEAP", "Limit": prefix + "_LIMIT", "GOGC": prefix + "_GOGC"}
