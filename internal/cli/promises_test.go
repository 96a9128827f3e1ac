package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A promise is a row of SECURITY.md: the most that a form of a command does, in the
// page's terms.
type promise struct{ writes, starts, connects []string }

// onlyLooks reports whether none of the module's code runs.
func (p promise) onlyLooks() bool {
	return !slices.Contains(p.starts, "the target") && !slices.Contains(p.starts, "PROGRAM")
}

// use is one command line of a form of a command. SERVICE stands for a live service.
type use struct {
	form string
	args string // "" is the form itself
	code int
	long bool                            // HEAPWRIGHT_THOROUGH=1 tries it
	talk func(*exec.Cmd) ([]byte, error) // runs a command that takes input; nil for others
}

// uses try every form. Some need the files of those before them.
var uses = []use{
	{form: "init", args: "init -force"},
	{form: "tune", args: "tune -budget 2s .", long: true},
	{form: "fix", args: "fix -budget 2s .", long: true},
	{form: "fix -propose COMMAND", args: "fix -budget 2s -propose ./once.exe .", long: true},
	{form: "mcp", long: true, talk: callTools},
	{form: "fix -apply", args: "fix -apply", code: exitFailed}, // no patch was proven
	{form: "fix -apply -commit", args: "fix -apply -commit", code: exitFailed},
	{form: "compare", args: "compare -dirty -run-time 1ms -blocks 1 -modes default,GOGC=400,rev=HEAD .", long: true},
	{form: "compare", args: "compare -blocks 1 -modes default,GOGC=400 -main ./once", long: true},
	{form: "compare -url URL", args: "compare -main ./serve -url http://127.0.0.1:{port}/ -load rate=40,warmup=100ms,duration=1s -modes default,GOGC=400 -blocks 1 -- 127.0.0.1:{port}", long: true},
	{form: "compare -- PROGRAM", args: "compare -blocks 1 -modes default,GOGC=400 -- ./once.exe"},
	{form: "aa", args: "aa -sittings 1 -experiments 1 -blocks 1 -run-time 1ms .", long: true},
	{form: "report"},
	{form: "diagnose PACKAGES", args: "diagnose -budget 1s .", long: true},
	{form: "diagnose FILES", args: "diagnose heap.pb.gz"},
	{form: "diagnose URL", args: "diagnose -duration 1s SERVICE"},
	{form: "collect URL", args: "collect -duration 1s SERVICE"},
	{form: "trace FILE", args: "trace storm.trace"},
	{form: "trace URL", args: "trace -duration 100ms SERVICE"},
	{form: "serve URL", args: "serve -for 2s -heap-every 1s -listen 127.0.0.1:0 SERVICE"},
	{form: "flame FILES", args: "flame heap.pb.gz"},
	{form: "gate", args: "gate -run-time 1ms -blocks 1 -base HEAD -markdown heapwright-out/comment.md .", code: exitIncomplete, long: true}, // one block decides nothing
	{form: "baseline", args: "baseline -run-time 1ms -budget 1ms .", long: true},
	{form: "gate -against FILE", args: "gate -run-time 1ms -against heapwright-baseline.json .", long: true},
	{form: "vet", args: "vet -all ./...", code: exitFound, long: true},
	{form: "vet -profile FILES", args: "vet -profile heap.pb.gz ./...", code: exitFound, long: true},
	{form: "vet -fix -diff", args: "vet -all -fix -diff ./...", code: exitFound, long: true},
	{form: "vet -fix", args: "vet -all -fix ./...", long: true},
	{form: "modes"},
	{form: "doctor", long: true},
	{form: "completion", args: "completion bash"},
	{form: "version"},
	{form: "help"},
}

// callTools has an agent diagnose, and have a patch judged.
func callTools(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stderr = &out
	ctx := context.Background()
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd, TerminateDuration: patience}, nil)
	if err != nil {
		return out.Bytes(), err
	}
	const diff = "--- a/stranger.go\n+++ b/stranger.go\n@@ -9 +9 @@\n-\tvar names []string\n+\tnames := make([]string, 0, n)\n"
	for _, call := range []*sdk.CallToolParams{
		{Name: "diagnose", Arguments: map[string]any{"packages": []string{"."}, "budget": 2}},
		{Name: "explain_site", Arguments: map[string]any{"finding": 1}},
		{Name: "compare_patch", Arguments: map[string]any{"packages": []string{"."}, "budget": 60, "patch": diff}},
	} {
		r, err := session.CallTool(ctx, call)
		if err != nil {
			return out.Bytes(), err
		}
		for _, c := range r.Content {
			out.WriteString(c.(*sdk.TextContent).Text + "\n")
		}
		if r.IsError {
			return out.Bytes(), errors.New(call.Name + " failed")
		}
	}
	if !strings.Contains(out.String(), "tests passes") {
		err = errors.New("the patch was not tested")
	}
	return out.Bytes(), errors.Join(err, session.Close())
}

// No command does more than SECURITY.md promises.
func TestPromises(t *testing.T) {
	t.Parallel()
	table := promises(t)
	for form := range table {
		if !slices.ContainsFunc(uses, func(u use) bool { return u.form == form }) {
			t.Errorf("SECURITY.md makes a promise about %q, which nothing here tries", form)
		}
	}
	for _, c := range commands {
		if !slices.ContainsFunc(uses, func(u use) bool { return strings.HasPrefix(u.form+" ", c.name+" ") }) {
			t.Errorf("nothing here tries %s", c.name)
		}
	}
	m := newStranger(t)
	for _, u := range uses {
		t.Run(strings.ReplaceAll(u.form, " ", "_"), func(t *testing.T) {
			may, ok := table[u.form]
			if !ok {
				t.Fatalf("SECURITY.md has no row for %q", u.form)
			}
			if u.long && !thorough {
				t.Skip("it takes seconds: HEAPWRIGHT_THOROUGH=1 tries it")
			}
			m.setTraps(t, may.onlyLooks())
			e := m.heapwright(t, u)
			exceed(t, "writes", e.writes, may.writes, m.places)
			exceed(t, "starts", e.starts, may.starts, m.programs)
			exceed(t, "connects to", e.connects, may.connects, m.peers)
		})
	}
}

// exceed reports the effects that no allowed term covers. The term "" is always allowed.
func exceed(t *testing.T, verb string, effects, allowed []string, terms map[string]covers) {
	for _, term := range allowed {
		if terms[term] == nil {
			t.Errorf("SECURITY.md: the column %q has no term %q", verb, term)
		}
	}
	for _, effect := range effects {
		if !slices.ContainsFunc(append(allowed, ""), func(term string) bool { return terms[term] != nil && terms[term](effect) }) {
			t.Errorf("it %s %s; SECURITY.md allows %q", verb, effect, allowed)
		}
	}
}

// promises reads the table of SECURITY.md by the form of the command.
func promises(t *testing.T) map[string]promise {
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]promise{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z][^`]*)` +\\| ([^|]*)\\| ([^|]*)\\| ([^|]*)\\|$").FindAllStringSubmatch(string(text), -1) {
		all[row[1]] = promise{terms(row[2]), terms(row[3]), terms(row[4])}
	}
	return all
}

func terms(cell string) (all []string) {
	for term := range strings.SplitSeq(cell, ",") {
		if term = strings.TrimSpace(term); term != "nothing" {
			all = append(all, term)
		}
	}
	return all
}
