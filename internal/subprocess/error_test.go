package subprocess

import (
	"errors"
	"os/exec"
	"testing"
)

func TestError(t *testing.T) {
	status := errors.New("exit status 1")
	for _, test := range []struct {
		command      Command
		stderr, want string
	}{
		{Command{Name: "git", Args: []string{"-c", "core.quotePath=false", "diff"}}, "fatal: bad revision\n", "git diff: fatal: bad revision"},
		{Command{Name: "go", Args: []string{"build"}}, "go: downloading example.com/dep v1.0.0\n# example.org/m\na.go:1:1: x\n", "go build: a.go:1:1: x"},
		{Command{Name: "go", Args: []string{"build"}}, "a\n\nb\nc\nd\n", "go build: a; b; c"},
		{Command{Name: "go", Args: []string{"build"}}, "package a\n\timports b\n\timports c\n\timports d: build constraints exclude all Go files in /d\n", "go build: imports d: build constraints exclude all Go files in /d"},
		{Command{Name: "go", Args: []string{"list"}}, "go: cannot find main module\n", "go list: go: cannot find main module\nName the folder of a module with -C, or make one with go mod init"},
		{Command{Name: "go", Args: []string{"list"}}, "go: downloading example.com/dep v1.0.0\n", "go list: exit status 1"},
		{Command{Name: "link"}, "", "link: exit status 1"},
	} {
		err := newError(test.command, test.stderr, status)
		if err.Error() != test.want || !errors.Is(err, status) {
			t.Errorf("%s", err)
		}
	}
}

func TestRun(t *testing.T) {
	out, errs, err := Command{Name: "go", Args: []string{"list", "-e", "-json", "unsafe", "no/such"}}.Run(t.Context())
	all, decodeErr := Values[struct{ ImportPath string }](out)
	if err != nil || decodeErr != nil || len(all) != 2 || all[1].ImportPath != "no/such" {
		t.Errorf("%+v, %v, %v, %s", all, err, decodeErr, errs)
	}
	if _, err := Values[struct{}](append(out, '{')); err == nil {
		t.Error("half a value was read")
	}
	if _, err := Output(t.Context(), "", "no-such-tool"); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a tool that is not there: %v", err)
	}
}
