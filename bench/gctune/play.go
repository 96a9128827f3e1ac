package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/heapwright/heapwright/internal/cgroup"
)

// play runs a scenario under a policy. A worker that the kernel ends in a storm
// is started again for the storms that are left.
func play(ctx context.Context, s scenario, policy string, limit int64, out string) (outcome, error) {
	o := outcome{Scenario: s.name, Policy: policy, Measured: time.Now().UTC(), Go: runtime.Version(), Limit: limit}
	profiles := filepath.Join(out, "profiles", s.name+"-"+policy)
	if err := os.RemoveAll(profiles); err != nil {
		return o, err
	}
	if err := os.MkdirAll(profiles, 0o755); err != nil {
		return o, fmt.Errorf("%w; give a folder that can be written with -o", err)
	}
	j := job{Policy: policy, Limit: limit, Profiles: profiles, load: s.load}
	var log bytes.Buffer
	for {
		points, killed, err := runWorker(ctx, j, &o, &log)
		if err != nil {
			return o, fmt.Errorf("%w\n%s", err, &log)
		}
		o.add(points)
		if err := keepPoints(filepath.Join(out, "points", fmt.Sprintf("%s-%s-%d.tsv", s.name, policy, o.Kills)), points); err != nil {
			return o, err
		}
		if !killed {
			break
		}
		o.Kills++
		if len(points) > 0 {
			j.Storms -= points[len(points)-1].storms + 1
		}
		if s.Storms == 0 || j.Storms <= 0 {
			break
		}
	}
	o.Log = log.String()
	var err error
	o.Profiles, o.Holder, err = readProfiles(profiles)
	return o, err
}

// runWorker runs one worker in a cgroup of its own to its end.
func runWorker(ctx context.Context, j job, o *outcome, log *bytes.Buffer) (points []point, killed bool, err error) {
	group, err := cgroup.New(j.Limit)
	if err != nil {
		return nil, false, err
	}
	defer group.Remove()
	text, err := json.Marshal(j)
	if err != nil {
		return nil, false, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, false, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = []string{workerVariable + "=" + string(text), "HOME=" + os.Getenv("HOME")}
	cmd.Stderr = log
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, false, err
	}
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return nil, false, err
	}
	if err := cmd.Start(); err != nil {
		return nil, false, err
	}
	defer func() { // a worker that has ended does not mind; one that has not holds its group
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if err := group.Join(cmd.Process.Pid); err != nil {
		return nil, false, err
	}
	if _, err := fmt.Fprintln(in, "go"); err != nil {
		return nil, false, err
	}
	for sc := bufio.NewScanner(lines); sc.Scan(); {
		if p, ok := parseLine(sc.Text()); ok {
			points = append(points, p)
		}
	}
	err = cmd.Wait()
	o.Peak = max(o.Peak, group.Peak())
	o.CPU += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status, ok := exit.Sys().(syscall.WaitStatus)
		if killed = ok && status.Signaled() && status.Signal() == syscall.SIGKILL && group.OOMKilled(); killed {
			err = nil
		}
	}
	return points, killed, err
}

// parseLine reads a worker's line; the kernel may have cut the last.
func parseLine(text string) (p point, ok bool) {
	if !strings.HasPrefix(text, "at ") {
		return p, false
	}
	n, _ := fmt.Sscanf(text, "at %g %d %d %g %g %d %d %d %d %d %g", &p.at, &p.done, &p.storms, &p.gc, &p.idle, &p.cycles, &p.live, &p.gogc, &p.limit, &p.goal, &p.busy)
	return p, n == 11
}
