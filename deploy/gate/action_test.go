package gate

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// quick are flags that decide on counted allocations in seconds.
const quick = "-run-time=10ms\n\n-blocks=9\n"

// pullRequest is the job of a pull request's push in a fresh checkout of its merge.
func pullRequest(r *repository, a *api, depth int, merge string) *runner {
	return newRunner(r, a, r.checkout("refs/pull/1/merge", depth), merge)
}

func newRunner(r *repository, a *api, dir, hash string) *runner {
	return &runner{
		t: r.t, dir: dir, token: writeToken, inputs: map[string]string{"flags": quick},
		env: map[string]string{
			"GITHUB_API_URL": a.server.URL, "GITHUB_REPOSITORY": "o/r", "GITHUB_REF": "refs/pull/1/merge", "GITHUB_SHA": hash,
			"GITHUB_BASE_REF": "main", "GITHUB_HEAD_REF": "change",
		},
	}
}

// The comment of the first push is updated by those after it.
func TestPullRequest(t *testing.T) {
	t.Parallel()
	r, a := newRepository(t), newAPI(t)
	git(t, r.work, "checkout", "-q", "-b", "change")
	r.write("m.go", program(150))
	r.commit("change", "allocate more")
	merge := r.merge("change")
	git(t, r.work, "checkout", "-q", "--detach", "origin/main")
	r.write("other.txt", "the base moves on")
	r.commit("main", "third")
	git(t, r.work, "checkout", "-q", "change")

	job := pullRequest(r, a, 1, merge) // the base is fetched
	passed, summary := job.run()
	if passed || !strings.Contains(summary, "### heapwright gate FAILED") || !strings.Contains(job.log.String(), "::error file=m.go,line=8,") {
		t.Errorf("a regression passed: %v\n%s", passed, summary)
	}
	a.expect(t, "m.go:8 example.org/m.Fill: 100 → 150", "POST /repos/o/r/issues/1/comments 201")

	r.write("m.go", program(100)+"\n// Done.\n")
	r.commit("change", "allocate as before")
	passed, summary = pullRequest(r, a, 2, r.merge("change")).run()
	if !passed || !strings.Contains(summary, "### heapwright gate passed") {
		t.Errorf("equal code: passed is %v\n%s", passed, summary)
	}
	a.expect(t, "### heapwright gate passed", "POST /repos/o/r/issues/1/comments 201",
		"PATCH /repos/o/r/issues/comments/1 200")

	job = pullRequest(r, a, 2, r.merge("change"))
	job.inputs["base"] = "nowhere"
	if passed, summary = job.run(); passed || !strings.Contains(summary, "the base is not checked out") || !strings.Contains(a.comments[0], "the base is not checked out") {
		t.Errorf("no base: passed is %v\n%s\nthe comment:\n%s", passed, summary, a.comments[0])
	}

	r.write("m.go", "package m\n\nfunc Fill() { nonsense }\n")
	r.commit("change", "break the build")
	if passed, summary = pullRequest(r, a, 2, r.merge("change")).run(); passed || !strings.Contains(summary, "no result") {
		t.Errorf("no build: passed is %v\n%s", passed, summary)
	}
	if last := a.comments[0]; !strings.Contains(last, "exit code") {
		t.Errorf("the comment of an earlier push stays:\n%s", last)
	}
}

// The stored base is measured once, and then taken from the cache. In a pull request
// from a fork, where the token may not comment, the summary has the result.
func TestStoredBase(t *testing.T) {
	t.Parallel()
	r, a := newRepository(t), newAPI(t)
	git(t, r.work, "checkout", "-q", "-b", "change")
	r.write("m.go", program(150))
	r.commit("change", "allocate more")
	merge := r.merge("change")
	cache := map[string]string{}
	for _, measured := range []bool{true, false} {
		job := pullRequest(r, a, 2, merge)
		job.cache, job.token = cache, readToken
		job.inputs = map[string]string{"stored-base": "true", "flags": "-run-time=1ms"}
		passed, summary := job.run()
		if passed || !strings.Contains(summary, "FAILED") || !strings.Contains(job.log.String(), "the token may not comment") {
			t.Errorf("a regression passed: %v\n%s", passed, summary)
		}
		if got := strings.Contains(job.log.String(), "stored 1 benchmark"); got != measured || len(cache) != 1 {
			t.Errorf("the base was measured: %v, want %v; the cache has %d entries", got, measured, len(cache))
		}
	}
}

// A push is compared with the commit before it, and has nobody to tell. Names of
// branches, which contributors choose, are never read as shell code.
func TestBases(t *testing.T) {
	t.Parallel()
	const hostile = "x;touch${IFS}pwned;$(touch${IFS}pwned)`touch${IFS}pwned`"
	r, a := newRepository(t), newAPI(t)
	git(t, r.work, "push", "-q", "origin", "HEAD:refs/heads/"+hostile)
	base := git(t, r.work, "rev-parse", "HEAD")
	r.write("more.txt", "one")
	r.commit("main", "third")
	r.write("more.txt", "two")
	head := r.commit("main", "fourth")
	for name, test := range map[string]struct {
		env  map[string]string
		base string
		want string
	}{
		"push":              {map[string]string{"GITHUB_REF": "refs/heads/main", "GITHUB_SHA": head, "GITHUB_BASE_REF": ""}, "", git(t, r.work, "rev-parse", "HEAD^1")},
		"head, not merge":   {map[string]string{"GITHUB_SHA": base, "GITHUB_BASE_REF": hostile, "GITHUB_HEAD_REF": hostile}, "", base},
		"a base of its own": {map[string]string{"GITHUB_SHA": head}, "HEAD~2", base},
		"no such base":      {map[string]string{"GITHUB_SHA": head}, "--output=pwned", ""},
	} {
		job := newRunner(r, a, r.checkout("refs/heads/main", 0), head)
		maps.Copy(job.env, test.env)
		job.inputs["base"], job.inputs["bench"] = test.base, "NoSuchBenchmark"
		if passed, _ := job.run(); passed {
			t.Errorf("%s: passed, but nothing was compared", name)
		}
		if got := job.values["steps.prepare.outputs.base"]; got != test.want {
			t.Errorf("%s: compared with %q, want %q", name, got, test.want)
		}
		for _, dir := range []string{job.dir, job.temp} {
			if found, _ := filepath.Glob(filepath.Join(dir, "pwned*")); len(found) > 0 {
				t.Errorf("%s: a name was read as shell code", name)
				os.Remove(found[0])
			}
		}
	}
}
