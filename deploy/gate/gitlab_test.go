package gate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitlabJob is the job of gitlab.yml.
type gitlabJob struct {
	Variables             map[string]string
	BeforeScript          []string `yaml:"before_script"`
	Script                []string
	AfterScript           []string `yaml:"after_script"`
	Artifacts             struct{ Reports struct{ JUnit string } }
	Image, Stage, Timeout string
	Interruptible         bool
	Rules                 []struct{ If string }
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
	job := file["heapwright gate"]
	run := func() (passed bool, log string) {
		t.Helper()
		dir := r.checkout("refs/heads/change", 0)
		env := map[string]string{
			"CI_PROJECT_DIR": dir, "CI_API_V4_URL": a.server.URL + "/api/v4", "CI_MERGE_REQUEST_PROJECT_ID": "1", "CI_MERGE_REQUEST_IID": "1",
			"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "GITLAB_COMMENT_TOKEN": writeToken,
		}
		for name, value := range job.Variables {
			env[name] = os.Expand(value, func(v string) string { return env[v] })
		}
		install(t, job, env)
		cache, err := exec.Command("go", "env", "GOCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		env["PACKAGES"] = "-run-time=10ms -blocks=9 ./..."
		env["GOCACHE"] = strings.TrimSpace(string(cache)) // an empty one would compile the standard library
		out, failed := bash(dir, strings.Join(job.Script, "\n"), env).CombinedOutput()
		after, err := bash(dir, strings.Join(job.AfterScript, "\n"), env).CombinedOutput()
		if err != nil {
			t.Errorf("after_script: %v", err)
		}
		env["GITLAB_COMMENT_TOKEN"] = "" // as in a fork
		fork, err := bash(dir, strings.Join(job.AfterScript, "\n"), env).CombinedOutput()
		if err != nil || !strings.Contains(string(fork), "the token may not comment: there is none") {
			t.Errorf("after_script in a fork: %v\n%s", err, fork)
		}
		if !strings.Contains(readFile(t, filepath.Join(dir, job.Artifacts.Reports.JUnit)), "<testsuite ") {
			t.Error("there is no test report")
		}
		t.Logf("%s%s", out, after)
		return failed == nil, string(out) + string(after)
	}

	r.write("m.go", program(150))
	r.commit("change", "allocate more")
	if passed, log := run(); passed || !strings.Contains(log, "gate FAILED") {
		t.Error("a regression passed")
	}
	a.expect(t, "m.go:8 example.org/m.Fill: 100 → 150", "POST /api/v4/projects/1/merge_requests/1/notes 201")

	r.write("m.go", program(100)+"\n// Done.\n")
	r.commit("change", "allocate as before")
	if passed, _ := run(); !passed {
		t.Error("equal code failed")
	}
	a.expect(t, "### heapwright gate passed", "POST /api/v4/projects/1/merge_requests/1/notes 201", "PUT /api/v4/projects/1/merge_requests/1/notes/1 200")
}

// install does the work of before_script from this checkout, because there may be no
// release of the version yet.
func install(t *testing.T, job gitlabJob, env map[string]string) {
	t.Helper()
	const module = "github.com/heapwright/heapwright/"
	for _, pkg := range []string{"cmd/heapwright", "deploy/prcomment"} {
		if want := fmt.Sprintf("%q", module+pkg+"@$HEAPWRIGHT_VERSION"); !strings.Contains(strings.Join(job.BeforeScript, "\n"), want) {
			t.Errorf("before_script does not install %s", want)
		}
		build := exec.Command("go", "build", "-o", filepath.Join(env["GOPATH"], "bin")+string(filepath.Separator), "./"+pkg)
		build.Dir = filepath.Join("..", "..")
		build.Env = append(os.Environ(), "GOWORK=")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}
