package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Serve is a heapwright serve that runs.
type Serve struct {
	URL string
	cmd *exec.Cmd
}

// Targets is an entry of the file that serve -file-sd reads.
type Targets struct {
	URLs   []string          `json:"targets"`
	Labels map[string]string `json:"labels"`
}

// StartServe starts heapwright serve with some flags, and waits until it answers.
func StartServe(ctx context.Context, tool string, flags ...string) (*Serve, error) {
	cmd := In{}.Command(ctx, append([]string{tool, "serve", "-config=none", "-listen=127.0.0.1:0"}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	s := &Serve{cmd: cmd}
	line, err := bufio.NewReader(out).ReadString('\n')
	if s.URL = strings.TrimSpace(line); err != nil {
		return nil, errors.Join(fmt.Errorf("heapwright serve did not start: %w", err), s.Stop())
	}
	return s, nil
}

// Stop interrupts it, and waits for its end.
func (s *Serve) Stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("heapwright serve: %w", err)
	}
	return nil
}

// State returns the resources that it used, after Stop.
func (s *Serve) State() *os.ProcessState { return s.cmd.ProcessState }
