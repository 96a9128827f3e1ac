package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/bytedance/gopkg/util/gctuner"

	"github.com/heapwright/heapwright/gctune"
)

// The other files are those of workloads/gateway. This one puts a peer of
// gctune in charge of memory, which the mode PEER=automemlimit or PEER=gctuner
// names, with PEER_LIMIT=256MiB for what it should take for the limit, and for
// gctuner PEER_MIN_GOGC where its least GOGC, 50, is too much: peers are no modes
// of compare, since no peer may enter its module.
func init() {
	peer := os.Getenv("PEER")
	if peer == "" {
		return
	}
	limit, err := gctune.ParseSize(os.Getenv("PEER_LIMIT"))
	switch {
	case err != nil:
	case peer == "automemlimit":
		_, err = memlimit.Set(memlimit.WithProvider(memlimit.Limit(uint64(limit))))
	case peer == "gctuner":
		err = startGctuner(uint64(limit))
	default:
		err = fmt.Errorf("PEER=%s: write automemlimit or gctuner", peer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(2)
	}
}

func startGctuner(limit uint64) error {
	if text := os.Getenv("PEER_MIN_GOGC"); text != "" {
		least, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return fmt.Errorf("PEER_MIN_GOGC: %w; give a percentage such as 30", err)
		}
		gctuner.SetMinGCPercent(uint32(least))
	}
	gctuner.Tuning(limit / 10 * 7) // as its documentation advises
	return nil
}
