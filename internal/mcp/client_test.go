package mcp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/experiment"
)

// thorough says that tests run everything. By default they leave out variants that take long.
var thorough = os.Getenv("HEAPWRIGHT_THOROUGH") != ""

const goMod = "module example.org/app\n\ngo 1.26\n"

// source is a function that allocates more than it needs.
const source = `package app

import "strings"

// Join joins words.
func Join(words []string) string {
	out := ""
	for _, w := range words {
		if w != "" && w != out {
			out = strings.Join([]string{out, w}, ",")
		}
	}
	return out
}
`

const tests = `package app

import "testing"

func TestJoin(t *testing.T) {
	if got := Join([]string{"a", "b"}); got != ",a,b" {
		t.Error(got)
	}
}

var words = func() (all []string) {
	for range 1000 {
		all = append(all, "some words")
	}
	return all
}()

func BenchmarkJoin(b *testing.B) {
	for range b.N {
		Join(words)
	}
}
`

// good is the source without the fault.
const good = `package app

import "strings"

// Join joins words.
func Join(words []string) string {
	var out strings.Builder
	for _, w := range words {
		if w != "" && w != out.String() {
			out.WriteByte(',')
			out.WriteString(w)
		}
	}
	return out.String()
}
`

// app writes the module of source, with more files, and returns its folder.
func app(t *testing.T, more map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": goMod, "join.go": source, "join_test.go": tests}
	for name, text := range more {
		files[name] = text
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// diff is a patch of a file.
func diff(name, before, after string) string {
	return string(edit.Diff(name, []byte(before), []byte(after)))
}

// loop is the line of source before its loop.
const loop = "\tout := \"\"\n"

// with is a patch of source: it replaces texts.
func with(pairs ...string) string {
	return diff("join.go", source, strings.NewReplacer(pairs...).Replace(source))
}

// using is a patch of source that imports a package and adds a statement before the loop.
func using(pkg, statement string) string {
	imports := "import (\n\t\"" + pkg + "\"\n\t\"strings\"\n)"
	return with("import \"strings\"", imports, loop, "\t"+statement+"\n"+loop)
}

// client is a session of the official SDK's client with a server in this process.
type client struct {
	*sdk.ClientSession
	root, out string
	progress  chan string
}

func connect(t *testing.T, root string, change func(*Options)) *client {
	t.Helper()
	c := &client{root: root, out: t.TempDir(), progress: make(chan string, 1000)}
	o := Options{Root: root, OutDir: c.out, Tool: "test", NewDocument: experiment.NewDocument}
	if change != nil {
		change(&o)
	}
	ctx, stop := context.WithCancel(context.Background())
	near, far := sdk.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, o, near) }()
	var err error
	c.ClientSession, err = sdk.NewClient(&sdk.Implementation{Name: "test"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			select {
			case c.progress <- r.Params.Message:
			default:
			}
		},
	}).Connect(ctx, far, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		stop()
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return c
}

// call calls a tool and returns its text. Its data goes to out unless the tool fails.
func (c *client) call(t *testing.T, tool string, arguments map[string]any, out any) (text string, failed bool) {
	t.Helper()
	p := &sdk.CallToolParams{Name: tool, Arguments: arguments}
	p.SetProgressToken(tool)
	r, err := c.CallTool(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, content := range r.Content {
		text += content.(*sdk.TextContent).Text
	}
	if out != nil && !r.IsError {
		data, err := json.Marshal(r.StructuredContent)
		if err == nil {
			err = json.Unmarshal(data, out)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return text, r.IsError
}

// unchanged reports files of the module that differ from what was written.
func (c *client) unchanged(t *testing.T) {
	t.Helper()
	entries, err := os.ReadDir(c.root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") && e.Name() != "go.mod" {
			t.Errorf("%s is new in the module", e.Name())
		}
	}
	for name, want := range map[string]string{"join.go": source, "join_test.go": tests} {
		if got, err := os.ReadFile(filepath.Join(c.root, name)); err != nil || string(got) != want {
			t.Errorf("%s is changed: %v", name, err)
		}
	}
}
