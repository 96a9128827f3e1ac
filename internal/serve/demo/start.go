package demo

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/heapwright/heapwright/internal/serve/scrape"
)

// Start starts all services as processes of this program with the arguments that args
// returns for a name. They end with the context, or with this process.
func Start(ctx context.Context, args func(name string) []string) (targets []scrape.Target, wait func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	var stop []func()
	wait = func() {
		for _, s := range stop {
			s()
		}
	}
	for _, name := range Names() {
		cmd := exec.Command(program, args(name)...)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			wait()
			return nil, nil, err
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			wait()
			return nil, nil, err
		}
		context.AfterFunc(ctx, func() { in.Close() })
		stop = append(stop, func() {
			in.Close()
			cmd.Wait() // it ends with its input
		})
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			wait()
			return nil, nil, fmt.Errorf("the demo's service %s did not start: %w", name, err)
		}
		targets = append(targets, scrape.Target{URL: strings.TrimSpace(line), Service: name, Version: "v1"})
	}
	return targets, wait, nil
}
