package gate

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// step is a step of action.yml or of a workflow.
type step struct {
	ID, If, Shell, Run, Uses string
	Env, With                map[string]string
	ContinueOnError          bool `yaml:"continue-on-error"`
}

// action is action.yml.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []step
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(readFile(t, name)), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// runner runs the steps of action.yml as GitHub's does. It knows the expressions
// that the action uses, and the two actions for the cache.
type runner struct {
	t      *testing.T
	dir    string            // of the checkout
	env    map[string]string // of the job
	inputs map[string]string
	token  string
	cache  map[string]string // by key; kept between jobs

	temp   string
	values map[string]string // of expressions
	failed bool
	log    bytes.Buffer
}

// run returns whether the action passes, and the job's summary.
func (r *runner) run() (passed bool, summary string) {
	t := r.t
	t.Helper()
	var a action
	readYAML(t, "action.yml", &a)
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	r.temp = t.TempDir()
	r.values = map[string]string{"github.action_path": here, "github.token": r.token}
	for name, in := range a.Inputs {
		r.values["inputs."+name] = r.expand(in.Default)
	}
	for name, value := range r.inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the action has no input %q", name)
		}
		r.values["inputs."+name] = value
	}
	file := filepath.Join(r.temp, "summary")
	for _, s := range a.Runs.Steps {
		if s.If == "" && r.failed || s.If != "" && !r.holds(s.If) {
			r.values["steps."+s.ID+".outcome"] = "skipped"
			continue
		}
		r.step(s, file)
	}
	text, _ := os.ReadFile(file)
	t.Logf("log:\n%s", r.log.String())
	return !r.failed, string(text)
}

func (r *runner) step(s step, summary string) {
	var err error
	switch name, _, _ := strings.Cut(s.Uses, "@"); name {
	case "actions/cache/restore":
		if text, ok := r.cache[r.expand(s.With["key"])]; ok {
			r.values["steps."+s.ID+".outputs.cache-hit"] = "true"
			err = os.WriteFile(r.expand(s.With["path"]), []byte(text), 0o644)
		}
	case "actions/cache/save":
		r.cache[r.expand(s.With["key"])] = readFile(r.t, r.expand(s.With["path"]))
	case "":
		err = r.script(s, summary)
	default:
		r.t.Fatalf("unknown action %q", s.Uses)
	}
	r.values["steps."+s.ID+".outcome"] = "success"
	if err != nil {
		fmt.Fprintf(&r.log, "step %q: %v\n", s.ID, err)
		r.values["steps."+s.ID+".outcome"] = "failure"
		r.failed = r.failed || !s.ContinueOnError
	}
}

// script runs a step in bash and reads its outputs.
func (r *runner) script(s step, summary string) error {
	file := filepath.Join(r.temp, "output")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		return err
	}
	env := map[string]string{"RUNNER_TEMP": r.temp, "GITHUB_OUTPUT": file, "GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTIONS": "true", "RUNNER_OS": "Linux"}
	maps.Copy(env, r.env)
	for name, value := range s.Env {
		env[name] = r.expand(value)
	}
	cmd := bash(r.dir, r.expand(s.Run), env)
	cmd.Stdout, cmd.Stderr = &r.log, &r.log
	err := cmd.Run()
	for line := range strings.Lines(readFile(r.t, file)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		r.values["steps."+s.ID+".outputs."+name] = value
	}
	return err
}

// bash runs a script as both hosts do.
func bash(dir, script string, env map[string]string) *exec.Cmd {
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GOWORK=")
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

var expression = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

func (r *runner) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		return r.value(strings.TrimSpace(expression.FindStringSubmatch(e)[1]))
	})
}

// value returns that of a name. Outputs that nothing has set are empty.
func (r *runner) value(name string) string {
	value, ok := r.values[name]
	if !ok && !strings.HasPrefix(name, "steps.") {
		r.t.Fatalf("unknown expression %q", name)
	}
	return value
}

var term = regexp.MustCompile(`^(\S+) (==|!=) '([^']*)'$`)

// holds evaluates a condition. Without a function for the status of the job, a
// condition implies success().
func (r *runner) holds(condition string) bool {
	if m := expression.FindStringSubmatch(condition); m != nil {
		condition = m[1]
	}
	always := false
	for part := range strings.SplitSeq(condition, "&&") {
		part = strings.TrimSpace(part)
		m := term.FindStringSubmatch(part)
		switch {
		case part == "!cancelled()":
			always = true
		case m == nil:
			r.t.Fatalf("unknown condition %q", part)
		case (r.value(m[1]) == m[3]) != (m[2] == "=="):
			return false
		}
	}
	return always || !r.failed
}
