package result

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// claimed is the folder that the test's own binary claims as another process.
const claimed = "HEAPWRIGHT_TEST_CLAIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(claimed); dir != "" {
		c, err := Claim(dir, "-o", []string{"compare", "-o", "a b"})
		if err != nil {
			panic(err)
		}
		defer c.Release()
		fmt.Println("claimed")
		io.Copy(io.Discard, os.Stdin) // until it is killed
		return
	}
	os.Exit(m.Run())
}

func TestClaimNamesItsOwnerAndEndsWithIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), claimed+"="+dir)
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "claimed\n" {
		t.Fatal(line, err)
	}
	_, err = Claim(dir, "-o", nil)
	host, _ := os.Hostname()
	for _, want := range []string{dir, "process " + strconv.Itoa(other.Process.Pid) + " on " + host, "heapwright compare -o 'a b'", "wait until it ends", "give another folder with -o"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error %v does not have %q", err, want)
		}
	}
	other.Process.Kill()
	other.Wait()
	c, err := Claim(dir, "-o", nil)
	if err != nil {
		t.Fatalf("after the owner was killed: %v", err)
	}
	if c.Note != "" {
		t.Error(c.Note)
	}
	c.Release()
}

func TestReleaseLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{outFolder, "other"} {
		c, err := Claim(dir, "-o", nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Release()
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s, which stayed empty, is left behind: %v", dir, err)
		}
		if c, err = Claim(dir, "-o", nil); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "report.json"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		c.Release()
		if left, err := filepath.Glob(filepath.Join(dir, ".heapwright*")); left != nil {
			t.Errorf("left behind: %v, %v", left, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "report.json")); err != nil {
			t.Error(err)
		}
	}
}

func TestOneClaimsAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	var holders, won atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				c, err := Claim(dir, "-o", nil)
				if err != nil {
					if !strings.Contains(err.Error(), "in use by") {
						t.Error(err)
					}
					continue
				}
				if holders.Add(1) != 1 {
					t.Error("two hold the folder")
				}
				won.Add(1)
				holders.Add(-1)
				c.Release()
			}
		})
	}
	all.Wait()
	if won.Load() == 0 {
		t.Error("nobody got the folder")
	}
}

// A repository may contain a file of the lock's name, or a link.
func TestClaimWritesNoFileOfOthers(t *testing.T) {
	home := t.TempDir()
	t.Chdir(t.TempDir())
	victim := filepath.Join(home, "victim")
	if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Mkdir("out", 0o755), os.WriteFile(filepath.Join("out", lockName), []byte("{"), 0o444)); err != nil {
		t.Fatal(err)
	}
	c, err := Claim("out", "-o", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Release()
	for _, leads := range []string{victim, filepath.Join(home, "new")} {
		link := filepath.Join("out", lockName)
		if err := os.Symlink(leads, link); err != nil {
			t.Skip(err)
		}
		if _, err := Claim("out", "-o", nil); err == nil || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("link to %s: %v", leads, err)
		}
		os.Remove(link)
	}
	if text, err := os.ReadFile(victim); string(text) != "mine" {
		t.Errorf("the link's file holds %q, %v", text, err)
	}
	if entries, _ := os.ReadDir(home); len(entries) != 1 {
		t.Errorf("a link made a file: %v", entries)
	}
	if err := os.Symlink(home, "outside"); err != nil {
		t.Fatal(err)
	}
	if _, err := Claim("outside/new", "-o", nil); err == nil {
		t.Error("claimed a folder that a link leads to")
	}
	if _, err := os.Stat(filepath.Join(home, "new")); err == nil {
		t.Error("made a folder outside")
	}
}

func TestClaimWithoutLocks(t *testing.T) {
	for _, cannot := range []error{syscall.ENOSYS, errors.ErrUnsupported} {
		dir := t.TempDir()
		c, err := claim(dir, "-o", nil, func(*os.File) error { return cannot })
		if err != nil || !strings.Contains(c.Note, dir) || !strings.Contains(c.Note, cannot.Error()) {
			t.Fatalf("%+v, %v", c, err)
		}
		c.Release()
		if entries, err := os.ReadDir(dir); len(entries) > 0 {
			t.Error(entries, err)
		}
	}
}
