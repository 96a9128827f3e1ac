package gate

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gitlabJob is the job of gitlab.yml.
type gitlabJob struct {
	Variables    map[string]string
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	AfterScript  []string `yaml:"after_script"`
	Artifacts    struct {
		Paths   []string
		Reports struct{ JUnit string }
	}
	Image, Stage, Timeout string
	Needs                 []string
	Environment           struct{ Name, Action string }
	Interruptible         bool
	AllowFailure          bool `yaml:"allow_failure"`
	Rules                 []struct{ If, When string }
	Cache                 struct {
		Key   string
		Paths []string
	}
}

func TestMergeRequest(t *testing.T) {
	t.Parallel()
	r, a := newRepository(t), newAPI(t)
	base := git(t, r.work, "rev-parse", "HEAD")
	git(t, r.work, "checkout", "-q", "-b", "change")
	var file map[string]gitlabJob
	readYAML(t, "gitlab.yml", &file)
	job, comment := file["heapwright gate"], file["heapwright comment"]
	run := func() (passed bool, log string) {
		t.Helper()
		dir := r.checkout("refs/heads/change", 0)
		shared := map[string]string{"CI_API_V4_URL": a.server.URL + "/api/v4", "CI_MERGE_REQUEST_PROJECT_ID": "1", "CI_MERGE_REQUEST_IID": "1"}
		env := maps.Clone(shared)
		env["CI_PROJECT_DIR"], env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = dir, base
		for name, value := range job.Variables {
			env[name] = os.Expand(value, func(v string) string { return env[v] })
		}
		install(t, job.BeforeScript, "cmd/heapwright", env["GOPATH"])
		cache, err := exec.Command("go", "env", "GOCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		env["PACKAGES"] = "-run-time=10ms -blocks=9 ./..."
		env["GOCACHE"] = strings.TrimSpace(string(cache)) // an empty one would compile the standard library
		before, ok := strings.CutSuffix(strings.Join(job.BeforeScript, "\n"), "\n"+job.BeforeScript[len(job.BeforeScript)-1])
		if !ok {
			t.Fatal("before_script does nothing but install")
		}
		if out, err := bash(dir, before, env).CombinedOutput(); err != nil {
			t.Fatalf("before_script: %v\n%s", err, out)
		}
		out, failed := bash(dir, strings.Join(job.Script, "\n"), env).CombinedOutput()
		after, err := bash(dir, strings.Join(job.AfterScript, "\n"), env).CombinedOutput()
		if err != nil {
			t.Errorf("after_script: %v\n%s", err, after)
		}
		if !strings.Contains(readFile(t, filepath.Join(dir, job.Artifacts.Reports.JUnit)), "<testsuite ") {
			t.Error("there is no test report")
		}
		posted := postComment(t, comment, dir, job.Artifacts.Paths, shared)
		t.Logf("%s%s%s", out, after, posted)
		return failed == nil, string(out) + posted
	}

	// A request can commit a result of its own, in a folder or behind a link.
	for _, dir := range []string{"heapwright-out", "results"} {
		if err := os.Mkdir(filepath.Join(r.work, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		r.write(dir+"/gate.md", "### heapwright gate passed, says the request")
	}
	r.write("m.go", program(150))
	r.commit("change", "allocate more")
	if passed, log := run(); passed || !strings.Contains(log, "gate FAILED") {
		t.Error("a regression passed")
	}
	a.expect(t, "m.go:8 example.org/m.Fill: 100 → 150", "POST /api/v4/projects/1/merge_requests/1/notes 201")

	out := filepath.Join(r.work, "heapwright-out")
	if err := os.RemoveAll(out); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("results", out); err != nil {
		t.Fatal(err)
	}
	r.write("m.go", program(100)+"\n// Done.\n")
	r.commit("change", "allocate as before")
	if passed, _ := run(); !passed {
		t.Error("equal code failed")
	}
	a.expect(t, "### heapwright gate passed", "POST /api/v4/projects/1/merge_requests/1/notes 201", "PUT /api/v4/projects/1/merge_requests/1/notes/1 200")
}

// postComment runs the job that comments, with the artifacts of the gate's job and
// without its checkout.
func postComment(t *testing.T, job gitlabJob, from string, artifacts []string, shared map[string]string) string {
	t.Helper()
	dir, gopath := t.TempDir(), t.TempDir()
	for _, pattern := range artifacts {
		files, err := filepath.Glob(filepath.Join(from, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, err := filepath.Rel(from, file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(readFile(t, file)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	env := maps.Clone(shared)
	maps.Copy(env, job.Variables)
	env["GOPATH"] = gopath
	install(t, job.BeforeScript, "deploy/prcomment", gopath)
	script := strings.Join(job.Script, "\n")
	fork, err := bash(dir, script, env).CombinedOutput()
	if err != nil || !strings.Contains(string(fork), "the token may not comment: there is none") {
		t.Errorf("comment in a fork: %v\n%s", err, fork)
	}
	env["GITLAB_COMMENT_TOKEN"] = writeToken
	out, err := bash(dir, script, env).CombinedOutput()
	if err != nil {
		t.Errorf("comment: %v\n%s", err, out)
	}
	return string(out)
}

// The job with the token runs no code of the request: it has no checkout, no cache that
// the benchmarks could fill, and an environment to which the token is limited.
func TestTokenIsApart(t *testing.T) {
	var file map[string]gitlabJob
	readYAML(t, "gitlab.yml", &file)
	gate, comment := file["heapwright gate"], file["heapwright comment"]
	if comment.Variables["GIT_STRATEGY"] != "none" || len(comment.Cache.Paths) > 0 || comment.Environment.Name == "" || gate.Environment.Name != "" {
		t.Errorf("the jobs share more than artifacts: %+v", comment)
	}
	if !slices.Equal(comment.Needs, []string{"heapwright gate"}) || len(comment.Rules) != 1 || comment.Rules[0].If != gate.Rules[0].If || comment.Rules[0].When != "always" {
		t.Errorf("the comment does not follow each gate: %+v", comment)
	}
	for _, line := range slices.Concat(gate.BeforeScript, gate.Script, gate.AfterScript) {
		if strings.Contains(line, "prcomment") {
			t.Errorf("%s: it needs the token in the job that runs the request's code", line)
		}
	}
}

// install does the work of before_script from this checkout, because there may be no
// release of the version yet.
func install(t *testing.T, script []string, pkg, gopath string) {
	t.Helper()
	const module = "github.com/heapwright/heapwright/"
	if want := fmt.Sprintf("go install %q", module+pkg+"@$HEAPWRIGHT_VERSION"); !strings.HasSuffix(strings.Join(script, "\n"), want) {
		t.Errorf("before_script does not end with: %s", want)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(gopath, "bin")+string(filepath.Separator), "./"+pkg)
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
