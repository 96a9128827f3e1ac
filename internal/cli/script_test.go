package cli

import (
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/heapwright/heapwright/internal/cgroup"
)

func TestMain(m *testing.M) {
	// Scripts wait for loads and budgets half of their time. A flag of the command
	// line still wins.
	flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	testscript.Main(m, map[string]func(){"heapwright": func() {
		ctx, stop := Interruptible(context.Background())
		defer stop()
		code := Main(ctx, Env{Stdout: os.Stdout, Stderr: os.Stderr}, os.Args[1:])
		writePeak()
		os.Exit(code)
	}})
}

// thorough says that tests run everything. By default they leave out variants
// that take minutes in all.
var thorough = os.Getenv("HEAPWRIGHT_THOROUGH") != ""

// TestScripts runs command lines of users. Each file in testdata/script is a story.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command: the scripts build real programs")
	}
	t.Parallel()
	modules := goproxytest.NewTestServer(t, "testdata/mod", "")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("MODPROXY", modules.URL)
			return setup(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await":     await,
			"awaitpage": awaitPage,
			"freeport":  freeport,
			"getenv":    getenv,
			"listen":    listen,
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "devfull":
				_, err := os.Stat("/dev/full")
				return err == nil, nil
			case "root":
				return os.Geteuid() == 0, nil
			case "cgroup":
				return cgroup.Available() == nil, nil
			case "thorough":
				return thorough, nil
			}
			return false, errors.New("unknown condition")
		},
	})
}

// setup gives scripts the caches of the test's own process, so that nothing is
// downloaded or compiled twice, but a cell cache of their own.
func setup(env *testscript.Env) error {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOSUMDB").Output()
	if err != nil {
		return err
	}
	values := strings.Split(string(out), "\n")
	for i, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOSUMDB"} {
		env.Setenv(name, values[i])
	}
	// With -trimpath, vet keeps its results apart by folder, and each script has a new one: all of
	// them would check the standard library again.
	env.Setenv("GOFLAGS", strings.TrimSpace(strings.ReplaceAll(" "+env.Getenv("GOFLAGS")+" ", " -trimpath ", " ")))
	module, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	env.Setenv("MODULE", module)
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	env.Setenv("NO_COLOR", "1")
	return nil
}

// patience is for a machine that builds everything for the first time meanwhile.
const patience = 4 * time.Minute

// await waits until a file exists that a program under test makes.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	file := ts.MkAbs(args[0])
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
	}
	ts.Fatalf("%s did not appear within %v", args[0], patience)
}

// awaitPage waits until the page at a URL matches a pattern.
func awaitPage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: awaitpage URL PATTERN")
	}
	want := regexp.MustCompile(args[1])
	var page []byte
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		resp, err := http.Get(args[0])
		ts.Check(err)
		page, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		ts.Check(err)
		if want.Match(page) {
			return
		}
	}
	ts.Fatalf("%s does not match %s within %v: %s", args[0], args[1], patience, page)
}

// getenv sets a variable to the contents of a file.
func getenv(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: getenv NAME FILE")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

// freeport sets a variable to a port that is free.
func freeport(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: freeport VARIABLE")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Check(l.Close())
	ts.Setenv(args[0], strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}

// listen takes a free port until the script ends and sets a variable to it.
func listen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listen VARIABLE")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv(args[0], strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}
