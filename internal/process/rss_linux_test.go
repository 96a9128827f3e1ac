package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

const mib = 1 << 20

// The peak is the target's own, however large we are.
func TestPeakRSS(t *testing.T) {
	ballast := make([]byte, 200*mib)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	u := mustRun(t, Command{Path: processtest.Target(t), Args: []string{"live", "64"}}).Usage
	if u.PeakRSS < 64*mib || u.PeakRSS > 80*mib || u.AtMost() {
		t.Errorf("64 MiB live: peak %.1f MiB, floor %.1f MiB", float64(u.PeakRSS)/mib, float64(u.Floor)/mib)
	}
	if u.Floor <= 0 {
		t.Errorf("floor %d", u.Floor)
	}

	u = mustRun(t, Command{Path: "/bin/true"}).Usage
	if !u.AtMost() {
		t.Errorf("/bin/true: peak %d is said to be its own, above the floor of %d", u.PeakRSS, u.Floor)
	}

	withoutStarter(t)
	u = mustRun(t, Command{Path: processtest.Target(t), Args: []string{"live", "64"}}).Usage
	if u.PeakRSS < 200*mib || !u.AtMost() {
		t.Errorf("without the starter: peak %d, floor %d", u.PeakRSS, u.Floor)
	}
	ballast[0]++ // it was there all the time
}

// The starter leaves none of its descriptors open in the target.
func TestDescriptors(t *testing.T) {
	out := string(mustRun(t, Command{Path: processtest.Target(t), Args: []string{"fds"}}).Stdout)
	var stdout string
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); f[0] == "1" {
			stdout = f[1]
		}
	}
	if n := strings.Count(out, stdout); n != 1 {
		t.Errorf("standard output %s is open %d times:\n%s", stdout, n, out)
	}
}

func TestOOMKill(t *testing.T) {
	group, err := os.MkdirTemp("/sys/fs/cgroup/memory", "heapwright-test-")
	if err != nil {
		t.Skip("cannot make a version 1 memory control group: ", err)
	}
	defer os.Remove(group)
	limit := []byte(strconv.Itoa(32 * mib))
	if err := os.WriteFile(filepath.Join(group, "memory.limit_in_bytes"), limit, 0); err != nil {
		t.Skip(err)
	}
	enter := fmt.Sprintf("echo $$ > %s/cgroup.procs && ", group)
	for _, tt := range []struct{ how, failure string }{
		{enter + `exec "$0" live 256`, "killed: out of memory"},
		{enter + `"$0" live 256; exit $?`, "killed: out of memory"}, // a child of the target
		{enter + `exec "$0" live 4`, ""},
	} {
		out := mustRun(t, Command{Path: "/bin/sh", Args: []string{"-c", tt.how, processtest.Target(t)}})
		if out.Failure != tt.failure || out.OOMKilled != (tt.failure != "") {
			t.Errorf("%s: failure %q, %+v", tt.how, out.Failure, out)
		}
		if u := out.Usage; tt.failure != "" && !strings.Contains(tt.how, "; exit") && u.PeakRSS > 48*mib {
			t.Errorf("%s: peak %d under a limit of 32 MiB", tt.how, u.PeakRSS)
		}
	}
}
