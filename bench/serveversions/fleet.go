package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// fleet is all processes of both versions. Those with even numbers are of the older one.
type fleet struct {
	files     [2]string
	addresses []string
	list      string  // the file of targets for serve
	perSecond float64 // requests of a process, on average
	running   []*exec.Cmd
}

// fleet chooses the addresses of all processes, and lists them for serve.
func (s *settings) fleet(dir string, files [2]string, seconds float64) (*fleet, error) {
	perSecond := s.cores / float64(s.Replicas) / seconds
	f := &fleet{files: files, list: filepath.Join(dir, "targets.json"), perSecond: perSecond}
	var groups []program.Targets
	for i := range s.Replicas {
		address, err := program.FreeAddr()
		if err != nil {
			return nil, err
		}
		f.addresses = append(f.addresses, address)
		labels := map[string]string{"job": "shop", "instance": fmt.Sprint(i), "version": fmt.Sprintf("v%d", 1+i%2)}
		groups = append(groups, program.Targets{URLs: []string{"http://" + address}, Labels: labels})
	}
	return f, program.WriteJSON(f.list, groups)
}

// start starts the processes of a version, and their load.
func (f *fleet) start(ctx context.Context, version int) error {
	for i := version; i < len(f.addresses); i += 2 {
		cmd := program.In{}.Command(ctx, f.files[version], "-addr", f.addresses[i])
		if err := cmd.Start(); err != nil {
			return err
		}
		f.running = append(f.running, cmd)
		if err := program.Listens(ctx, f.addresses[i]); err != nil {
			return err
		}
		// Replicas differ in their load, as behind a balancer that knows nothing of it.
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		go load(ctx, "http://"+f.addresses[i]+"/order", f.perSecond*math.Exp(0.2*rng.NormFloat64()), rng)
	}
	return nil
}

// wait waits for the processes after the end of their context, and returns the CPU time that
// they used, in seconds.
func (f *fleet) wait() (used float64) {
	for _, cmd := range f.running {
		_ = cmd.Wait() // the interrupt is its status
		used += program.CPU(cmd.ProcessState)
	}
	return used
}
