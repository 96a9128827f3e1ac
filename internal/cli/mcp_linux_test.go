package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// hanging is a module whose benchmark never ends, and says where its process is.
var hanging = map[string]string{
	"go.mod": "module example.org/hanging\n\ngo 1.26\n",
	"x_test.go": `package hanging

import (
	"os"
	"strconv"
	"testing"
)

func BenchmarkHang(b *testing.B) {
	os.WriteFile(os.Getenv("HANGING"), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o666)
	select {}
}
`,
}

// agent is a client of the command, over its standard streams.
type agent struct {
	*sdk.ClientSession
	cmd    *exec.Cmd
	in     io.Closer // the command's standard input
	out    io.Closer // and output
	file   string    // the benchmark's process writes its number there
	calls  chan error
	exited chan struct{}
}

func newAgent(t *testing.T, binary string) *agent {
	t.Helper()
	dir := t.TempDir()
	for name, text := range hanging {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a := &agent{
		cmd: exec.Command(binary, "mcp", "-config=none"), file: filepath.Join(t.TempDir(), "pid"),
		calls: make(chan error, 1), exited: make(chan struct{}),
	}
	a.cmd.Dir, a.cmd.Env = dir, append(os.Environ(), "HANGING="+a.file)
	stdin, err := a.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := a.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		a.cmd.Process.Wait()
		close(a.exited)
	}()
	t.Cleanup(func() { a.cmd.Process.Kill() })
	a.in, a.out = stdin, stdout
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	transport := &sdk.IOTransport{Reader: stdout, Writer: stdin}
	if a.ClientSession, err = client.Connect(t.Context(), transport, nil); err != nil {
		t.Fatal(err)
	}
	return a
}

// diagnose has the benchmark hang, and returns the number of its process.
func (a *agent) diagnose(ctx context.Context, t *testing.T) (pid int) {
	t.Helper()
	go func() {
		_, err := a.CallTool(ctx, &sdk.CallToolParams{Name: "diagnose"})
		a.calls <- err
	}()
	eventually(t, "a benchmark runs", func() bool {
		text, _ := os.ReadFile(a.file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return strings.HasSuffix(string(text), "\n")
	})
	return pid
}

// eventually waits until something has happened in another process.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// However a session ends, the processes that it started end, too.
func TestAgentLeaves(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "heapwright.exe")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/heapwright").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, leave := range map[string]func(*agent, context.CancelFunc){
		"cancels":    func(_ *agent, cancel context.CancelFunc) { cancel() },
		"closes":     func(a *agent, _ context.CancelFunc) { a.in.Close() },
		"breaks":     func(a *agent, _ context.CancelFunc) { a.out.Close(); a.in.Close() },
		"interrupts": func(a *agent, _ context.CancelFunc) { a.cmd.Process.Signal(os.Interrupt) },
		"stops reading": func(a *agent, _ context.CancelFunc) {
			a.out.Close()
			go a.Ping(context.Background(), nil) // an answer that nobody reads
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t, binary)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			pid := a.diagnose(ctx, t)
			if text := a.compare(t); !strings.Contains(text, "diagnose has been running for") {
				t.Errorf("a second measurement: %s", text)
			}
			leave(a, cancel)
			eventually(t, "the benchmark ends", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
			if err := <-a.calls; err == nil {
				t.Error("the call has an answer")
			}
			if name == "cancels" {
				eventually(t, "the next call has its turn", func() bool {
					return strings.HasPrefix(a.compare(t), "rejected")
				})
				a.Close()
			}
			<-a.exited
		})
	}
}

// compare has a patch judged that is none.
func (a *agent) compare(t *testing.T) string {
	t.Helper()
	p := &sdk.CallToolParams{Name: "compare_patch", Arguments: map[string]any{"patch": "x"}}
	r, err := a.CallTool(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].(*sdk.TextContent).Text
}
