package gate

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

// The linter knows the events, the permissions and the inputs of actions, also of
// this one when it is named as one of the repository.
func TestWorkflow(t *testing.T) {
	text := readFile(t, "github.yml")
	local := regexp.MustCompile(`heapwright/heapwright/deploy/gate@\S+`).ReplaceAllString(text, "./deploy/gate")
	if local == text {
		t.Fatal("github.yml does not use the action")
	}
	project, err := actionlint.NewProject("../..")
	if err != nil {
		t.Fatal(err)
	}
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	faults, err := linter.Lint("github.yml", []byte(local), project)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Errorf("github.yml: %v", f)
	}
	if strings.Contains(text, "\n  pull_request_target") || !strings.Contains(text, "\non: pull_request\n") {
		t.Error("github.yml: code of a fork must not meet a token that may write")
	}
}

// Actions of others are named by commit, because a tag can be moved. Expressions
// reach a script through the environment alone, where they are no code.
func TestStepsAreSafe(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	readYAML(t, "github.yml", &workflow)
	steps := a.Runs.Steps
	for _, job := range workflow.Jobs {
		steps = append(steps, job.Steps...)
	}
	pinned := regexp.MustCompile(`^actions/[\w/-]+@[0-9a-f]{40}$|^heapwright/heapwright/deploy/gate@v\d+\.\d+\.\d+$`)
	for _, s := range steps {
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("uses: %s: not pinned", s.Uses)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("run: %s: an expression within a script", s.Run)
		}
	}
	if a.Runs.Using != "composite" || len(steps) < 8 {
		t.Errorf("%s with %d steps: the files were not read", a.Runs.Using, len(steps))
	}
}
