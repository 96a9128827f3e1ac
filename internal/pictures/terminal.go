package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// found draws the output of heapwright init in a copy of workloads.
func found(ctx context.Context, root string) (string, error) {
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	module := filepath.Join(dir, "workloads")
	if err := os.CopyFS(module, os.DirFS(filepath.Join(root, "workloads"))); err != nil {
		return "", err
	}
	out, err := output(ctx, root, "init", "-C", module)
	if err != nil {
		return "", err
	}
	text := strings.ReplaceAll(out, dir, "~/src") // the copy is nowhere in particular
	return terminal("heapwright init", text), nil
}

const orders = `package orders

import (
	"fmt"
	"regexp"
)

// Labels are the numbers of orders, with a mark on the numbers of guests.
func Labels(numbers []int, names []string) []string {
	labels := make([]string, 0)
	for i, n := range numbers {
		label := fmt.Sprintf("%d", n)
		if regexp.MustCompile("^guest-").MatchString(names[i]) {
			label += "*"
		}
		labels = append(labels, label)
	}
	return labels
}
`

// fixes draws the diff of heapwright vet in a small module.
func fixes(ctx context.Context, root string) (string, error) {
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"go.mod": "module example.org/orders\n\ngo 1.26\n", "orders.go": orders} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	out, err := output(ctx, root, "vet", "-C", dir, "-all", "-fix", "-diff", "./...")
	if err != nil {
		return "", err
	}
	return terminal("heapwright vet -all -fix -diff ./...", strings.ReplaceAll(out, "\t", "    ")), nil
}

// output runs heapwright outside of any workspace. Reports are an answer.
func output(ctx context.Context, root string, args ...string) (string, error) {
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	tool := filepath.Join(dir, "heapwright.exe")
	if _, err := subprocess.Output(ctx, root, "go", "build", "-o", tool, "./cmd/heapwright"); err != nil {
		return "", err
	}
	out, _, err := subprocess.Command{Env: append(os.Environ(), "GOWORK=off"), Name: tool, Args: args}.Run(ctx)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		err = nil
	}
	return string(out), err
}

// terminal draws a command and its output.
func terminal(command, output string) string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	const top, row = 66.0, 21.0
	d := &drawing{height: top + row*float64(len(lines)) + 16}
	d.rect(10, 10, width-20, d.height-20, "box")
	d.text(30, 42, "mono third", "start", "$ "+command)
	for i, l := range lines {
		d.text(30, top+row*(float64(i)+0.5), "mono", "start", l)
	}
	return d.svg("The output of " + command)
}
