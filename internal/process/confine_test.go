package process

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

func confined(t *testing.T, memory int64, c Command) Outcome {
	t.Helper()
	out, err := Run(Confine(t.Context(), Confinement{Memory: memory}), c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestConfinedEnvironment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hush")
	set := append(os.Environ(), "GOGC=50", "SECRET_TOKEN=other")
	for want, env := range map[string][]string{"GOGC=50": set, "HOME=": nil} {
		out := confined(t, 0, Command{Path: processtest.Target(t), Args: []string{"env"}, Env: env})
		text := string(out.Stdout)
		if out.Failure != "" || strings.Contains(text, "hush") || !strings.Contains(text, "GOPROXY=off") || !strings.Contains(text, want) {
			t.Errorf("%+v, want %s", out, want)
		}
	}
}

func TestScrubbed(t *testing.T) {
	t.Setenv("MODEL_KEY", "k")
	t.Setenv("OTHER", "o")
	got := strings.Join(Scrubbed(nil, "MODEL_KEY"), " ")
	if !strings.Contains(got, "MODEL_KEY=k") || strings.Contains(got, "OTHER=o") {
		t.Error(got)
	}
}

func TestStdin(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{name: "hello", "": ""} {
		out, err := Run(context.Background(), Command{Path: processtest.Target(t), Args: []string{"cat"}, Stdin: file})
		if err != nil || string(out.Stdout) != want {
			t.Errorf("%q: %+v, %v", file, out, err)
		}
	}
}

func TestConfinedMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process group is only known on Linux")
	}
	out := confined(t, 64<<20, Command{Path: processtest.Target(t), Args: []string{"hoard"}})
	if out.Failure != "it took more than 64 MiB of memory" {
		t.Errorf("%+v", out)
	}
}

// A confined program reaches itself, and nothing else.
func TestConfinedNetwork(t *testing.T) {
	if !OwnNetwork() {
		t.Skip("no user namespaces here")
	}
	out := confined(t, 0, Command{Path: processtest.Target(t), Args: []string{"network"}})
	if got := string(out.Stdout); got != "interfaces: lo\nlisten: <nil>\ndial: <nil>\nrights: 0000000000000000\n" {
		t.Errorf("%s\n%+v", got, out)
	}
}
