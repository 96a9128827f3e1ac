package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// A client learns from the list of tools how to call each.
func TestTools(t *testing.T) {
	c := connect(t, app(t, nil), nil)
	all, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range all.Tools {
		names = append(names, tool.Name)
		data, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		if len(schema.Properties) == 0 || len(tool.Description) < 50 || tool.OutputSchema == nil {
			t.Errorf("%s: %s", tool.Name, data)
		}
		for name, p := range schema.Properties {
			if p.Description == "" && name != "line" { // file explains it
				t.Errorf("%s: no description of %s", tool.Name, name)
			}
		}
	}
	want := []string{"compare_patch", "diagnose", "explain_site", "list_findings", "price"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
	if !strings.Contains(c.InitializeResult().Instructions, "compare_patch") {
		t.Error("no instructions")
	}
}

// A mistake in a call is answered with its remedy.
func TestMistakes(t *testing.T) {
	c := connect(t, app(t, map[string]string{"sub/sub.go": "package sub\n"}), nil)
	if err := os.Symlink(t.TempDir(), filepath.Join(c.root, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, m := range []struct {
		tool, arguments, want string
	}{
		{"diagnose", `{"budget": 100000}`, "from 1 to 900; leave it out for 60"},
		{"price", `{"budget": -1}`, "leave it out for 180"},
		{"diagnose", `{"dir": "/"}`, "outside of the server's folder"},
		{"diagnose", `{"dir": "../.."}`, "start another server there"},
		{"diagnose", `{"dir": "link"}`, "outside of the server's folder"},
		{"diagnose", `{"dir": "none"}`, "there is no such folder"},
		{"diagnose", `{"packages": ["../x"]}`, "begin with ./"},
		{"diagnose", `{"packages": ["./sub/../../x"]}`, "give the folder of its module as dir"},
		{"diagnose", `{"packages": ["./.../../.."]}`, "give the folder of its module as dir"},
		{"diagnose", `{"packages": ["./link/..."]}`, "give the folder of its module as dir"},
		{"diagnose", `{"packages": ["-exec=sh"]}`, "begin with ./"},
		{"diagnose", `{"packages": ["./none"]}`, "there is no folder"},
		{"diagnose", `{"packages": ["./sub"]}`, "could not be diagnosed: no test files in ./sub"},
		{"diagnose", `{"bench": "("}`, "write a regular expression"},
		{"diagnose", `{"packages": "./sub"}`, "array"},
		{"diagnose", `{"package": ["./sub"]}`, `"package"`},
		{"list_findings", `{}`, "call diagnose first"},
		{"list_findings", `{"limit": -1}`, "above 0"},
		{"explain_site", `{}`, "give finding, a number of list_findings, or else file and line"},
		{"explain_site", `{"finding": 1, "file": "x.go", "line": 2}`, "or else file and line"},
		{"explain_site", `{"file": "x.go", "line": 2}`, "call diagnose first"},
		{"compare_patch", `{}`, "patch"},
		{"compare_patch", `{"patch": " "}`, "give a unified diff"},
		{"compare_patch", `{"patch": "` + strings.Repeat("x", maxPatch+1) + `"}`, "give a smaller change"},
	} {
		var arguments map[string]any
		if err := json.Unmarshal([]byte(m.arguments), &arguments); err != nil {
			t.Fatal(err)
		}
		text, failed := c.call(t, m.tool, arguments, nil)
		if !failed || !strings.Contains(text, m.want) {
			t.Errorf("%s %.60s: failed %v: %s; want %s", m.tool, m.arguments, failed, text, m.want)
		}
	}
	if all, _ := filepath.Glob(filepath.Join(c.out, "*")); len(all) > 0 {
		t.Errorf("it left %q", all)
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "rm"}); err == nil {
		t.Error("a tool rm")
	}
}

func TestTurn(t *testing.T) {
	var turn turn
	release, err := turn.take("price")
	if err != nil {
		t.Fatal(err)
	}
	_, err = turn.take("diagnose")
	if err == nil || !strings.Contains(err.Error(), "price has been running for") {
		t.Errorf("a second: %v", err)
	}
	release()
	if _, err := turn.take("diagnose"); err != nil {
		t.Error(err)
	}
}

// A client hears of new events once in a second, and now and then where there are none.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var texts []string
		last := 0.0
		p := startProgress(t.Context(), func(seconds float64, text string) {
			if seconds <= last {
				t.Errorf("%v after %v", seconds, last)
			}
			last = seconds
			texts = append(texts, text)
		})
		time.Sleep(tick / 20) // no event is at the instant of a tick
		for i := range 30 {
			p.Handle(result.Progress{
				Phase: result.Measure, Done: i / 10, Total: 3, Doing: "A\x1b[2J", ETA: time.Minute,
			})
			time.Sleep(100 * time.Millisecond)
		}
		p.Handle(result.Analysis{})
		time.Sleep(time.Minute)
		p.end()
		p.Handle(result.Note{Text: "late"})
		time.Sleep(time.Minute)
		if len(texts) < 7 || len(texts) > 10 {
			t.Errorf("%d reports: %q", len(texts), texts)
		}
		if texts[0] != "measure 0/3: A␛[2J, about 1m left" {
			t.Errorf("the first is %q", texts[0])
		}
	})
	startProgress(t.Context(), nil).end() // nobody listens
}

// other is a target that is not of packages.
type other struct{ target.Target }

func (other) String() string { return "other" }

// A server's default target is measured only by calls that choose nothing.
func TestResolve(t *testing.T) {
	root := app(t, map[string]string{"sub/sub.go": "package sub\n"})
	s := &server{Options: Options{Root: root, Target: other{}}}
	for _, c := range []struct {
		place
		dir, want string
	}{
		{place{}, root, "other"},
		{place{Bench: "Join"}, root, "./..."},
		{place{Packages: []string{".", "./sub/..."}}, root, ". ./sub/..."},
		{place{Dir: "sub"}, filepath.Join(root, "sub"), "./..."},
		{place{Dir: filepath.Join(root, "sub")}, filepath.Join(root, "sub"), "./..."},
	} {
		dir, target, err := s.resolve(c.place)
		if err != nil || dir != c.dir || target.String() != c.want {
			t.Errorf("%+v: %s, %v, %v", c.place, dir, target, err)
		}
	}
}
