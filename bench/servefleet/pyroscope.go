package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// pyroscope is a Pyroscope that runs already, and the folder of its objects.
type pyroscope struct{ url, dir string }

// state has the resources that a Pyroscope has used, and the profiles that it has taken, since its start.
type state struct {
	cpu, rss float64 // seconds, and bytes now
	profiles float64
	disk     int64 // bytes of its objects
}

func (p *pyroscope) state(ctx context.Context) (s state, err error) {
	text, err := program.Get(ctx, p.url+"/metrics")
	if err != nil {
		return s, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		name, number, _ := strings.Cut(lines.Text(), " ")
		value, err := strconv.ParseFloat(number, 64)
		name, _, _ = strings.Cut(name, "{")
		switch {
		case err != nil: // a comment
		case name == "process_cpu_seconds_total":
			s.cpu = value
		case name == "process_resident_memory_bytes":
			s.rss = value
		case name == "pyroscope_distributor_received_compressed_bytes_count":
			s.profiles += value
		}
	}
	if err := lines.Err(); err != nil {
		return s, err
	}
	if s.cpu == 0 {
		return s, errors.New(p.url + "/metrics: no process_cpu_seconds_total")
	}
	return s, filepath.WalkDir(p.dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was joined with others meanwhile
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			s.disk += info.Size()
		}
		return nil
	})
}

// watch measures a Pyroscope while serve forwards to it.
func (p *pyroscope) watch(ctx context.Context, m *measurement, serve func() error) error {
	before, err := p.state(ctx)
	if err != nil {
		return err
	}
	ran := make(chan error, 1)
	go func() { ran <- serve() }()
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for running := true; running; {
		select {
		case err := <-ran:
			if err != nil {
				return err
			}
			running = false
		case <-tick.C:
		}
		now, err := p.state(ctx)
		if err != nil {
			return err
		}
		m.Pyroscope.usage = usage{now.cpu - before.cpu, max(m.Pyroscope.RSS, now.rss)}
		m.Pyroscope.Profiles, m.Pyroscope.Disk = now.profiles-before.profiles, now.disk-before.disk
	}
	return nil
}
