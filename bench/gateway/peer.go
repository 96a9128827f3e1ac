package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/bytedance/gopkg/util/gctuner"

	"github.com/heapwright/heapwright/gctune"
)

// The other files are those of workloads/gateway. This one puts a peer of gctune
// in charge of memory: PEER=automemlimit or PEER=gctuner. PEER_LIMIT=256MiB
// overrides the memory limit that the peer detects. PEER_MIN_GOGC lowers
// gctuner's minimum GOGC, which is 50. Peers are not modes of compare, because
// its module must not depend on them.
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
