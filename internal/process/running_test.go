package process

import (
	"errors"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

func TestStop(t *testing.T) {
	for _, tt := range []struct {
		args    []string
		alone   bool // it ends by itself
		failure string
		killed  bool
	}{
		{[]string{"up"}, false, "", false},
		{[]string{"stubborn"}, false, "", runtime.GOOS != "windows"},
		{[]string{"nothing"}, true, "ended by itself", false},
		{[]string{"exit", "3"}, true, "exit status 3", false},
	} {
		up := make(chan struct{}, 100)
		r, err := Start(Command{
			Path: processtest.Target(t), Args: tt.args, Grace: 50 * time.Millisecond,
			Stderr: writerFunc(func() { up <- struct{}{} }),
		})
		if err != nil {
			t.Fatal(err)
		}
		if tt.alone {
			<-r.Exited()
		} else {
			<-up
		}
		out, err := r.Stop()
		if err != nil || out.Failure != tt.failure || (out.Signal == syscall.SIGKILL) != tt.killed || out.OOMKilled {
			t.Errorf("%v: %v, %+v", tt.args, err, out)
		}
	}
}

func TestAccountOfARunningProcess(t *testing.T) {
	up := make(chan struct{}, 100)
	r, err := Start(Command{Path: processtest.Target(t), Args: []string{"up"}, Stderr: writerFunc(func() { up <- struct{}{} })})
	if err != nil {
		t.Fatal(err)
	}
	<-up
	first, err := r.Account()
	if errors.Is(err, errors.ErrUnsupported) {
		r.Stop()
		t.Skip(err)
	}
	if err != nil || first.CPU <= 0 || first.PeakRSS < 1<<18 || first.PageFaults <= 0 {
		t.Errorf("%+v, %v", first, err)
	}
	if err := r.ForgetPeak(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	second, err := r.Account()
	// The kernel counts resident pages per thread and adds them up in batches, so a
	// process that waits may still seem to grow by some pages.
	const batches = 1 << 20
	if err != nil || second.CPU < first.CPU || second.PeakRSS > first.PeakRSS+batches {
		t.Errorf("%+v after %+v, %v", second, first, err)
	}
	out, err := r.Stop()
	if err != nil || second.CPU > out.Usage.CPU()+10*time.Millisecond { // which counts in ticks on some kernels
		t.Errorf("while it ran %v of CPU, at its end %v; %v", second.CPU, out.Usage.CPU(), err)
	}
	if _, err := r.Account(); err == nil && runtime.GOOS == "linux" {
		t.Error("an account of a process that has ended")
	}
}
