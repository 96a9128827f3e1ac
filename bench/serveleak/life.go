package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/store"
)

// life is one service from its start until its end.
type life struct {
	*bench
	service, address string

	began, killed time.Time
	usage         []use
	named         bool // a finding names the line

	evidence map[string][]store.Entry // kind → profiles that an alarm took before the kill
}

// use is the memory of a group at a time, as the kernel counts it.
type use struct {
	at    time.Time
	bytes int64
}

// run runs the service until the kernel kills it, and diagnoses it then.
func (l *life) run(ctx context.Context) error {
	group, err := cgroup.New(l.Limit)
	if err != nil {
		return err
	}
	defer group.Remove()
	in := program.In{Env: []string{fmt.Sprint("GOMEMLIMIT=", l.Limit)}}
	cmd := in.Command(ctx, program.InGroup(group.Procs(), l.target, "-addr", l.address,
		"-per-second", fmt.Sprint(int64(l.Share*float64(l.Limit))))...)
	l.began = time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := l.watch(cmd); ctx.Err() != nil {
		return ctx.Err()
	} else if !group.OOMKilled() {
		return fmt.Errorf("%s ended before the kernel killed it: %w", l.service, err)
	}
	return l.diagnose(ctx)
}

// watch notes the usage of the group until the end of the process.
func (l *life) watch(cmd *exec.Cmd) error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			l.killed = time.Now()
			return err
		case now := <-tick.C:
			if u, ok := cgroup.UsageOf(cmd.Process.Pid); ok {
				l.usage = append(l.usage, use{now, u.Bytes})
			}
		}
	}
}

// at returns the share of the limit that the group used at a time.
func (l *life) at(t time.Time) float64 {
	share := 0.0
	for _, u := range l.usage {
		if !u.at.After(t) {
			share = float64(u.bytes) / float64(l.Limit)
		}
	}
	return share
}

// diagnose asks as a person who comes after the alarm.
func (l *life) diagnose(ctx context.Context) error {
	out := filepath.Join(l.dir, l.service)
	if err := (program.In{Dir: l.dir}).Run(ctx, l.tool, "diagnose", "-config=none", "-o", out,
		"-service", l.service, "-last=10m", "serve+"+l.serve.URL); err != nil {
		return err
	}
	doc, err := program.ReadJSON[diagnose.Document](filepath.Join(out, "diagnosis.json"))
	if err != nil {
		return err
	}
	for _, f := range doc.Findings {
		fmt.Fprintf(os.Stderr, "%s: %s %s:%d\n", l.service, f.Rule, f.Function, f.Line)
		l.named = l.named || f.Function == "main.open" && int(f.Line) == l.leak.Line
	}
	return nil
}

// look finds the evidence of each life in the store.
func look(ctx context.Context, dir string, lives []*life) error {
	kept, err := store.Open(dir, store.Options{})
	if err != nil {
		return err
	}
	defer kept.Close()
	for _, l := range lives {
		all, err := kept.Select(ctx, store.Query{Service: l.service, From: l.began.Add(-time.Second), To: l.killed})
		if err != nil {
			return err
		}
		l.evidence = map[string][]store.Entry{}
		for _, e := range all {
			if e.Evidence {
				l.evidence[e.Kind] = append(l.evidence[e.Kind], e)
			}
		}
	}
	return nil
}
