package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/trace/tracetest"
)

// maxRSS is the most memory that any input may make a command take.
const maxRSS = 1 << 30

// peakFile names the file to which a command under test writes its peak memory.
// A parent cannot ask: on Linux a child's begins at its parent's.
const peakFile = "HEAPWRIGHT_TEST_PEAK"

func writePeak() {
	if file := os.Getenv(peakFile); file != "" {
		status, _ := os.ReadFile("/proc/self/status")
		os.WriteFile(file, status, 0o644)
	}
}

// runPeak runs a command line in a process of its own, where there is no source to
// study, and returns its messages and its peak memory; 0 where that cannot be measured.
func runPeak(t *testing.T, args ...string) (stderr string, code int, peak int64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peak")
	cmd := exec.Command("heapwright", args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), peakFile+"="+file, "GOMEMLIMIT=")
	var b bytes.Buffer
	cmd.Stderr = &b
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	status, _ := os.ReadFile(file)
	if m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status); m != nil {
		peak, _ = strconv.ParseInt(string(m[1]), 10, 64)
	}
	return b.String(), code, peak << 10
}

// Profiles of some hundred kilobytes that ask for gigabytes. All of them take a
// minute: HEAPWRIGHT_HOSTILE=1 runs them.
func TestAmplifiersStayBelow1GiB(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak memory of a process is read from /proc")
	}
	names := profiletest.Amplifiers()
	if os.Getenv("HEAPWRIGHT_HOSTILE") == "" {
		names = []string{"empty samples"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "p.pb.gz")
			f, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(profiletest.Amplify(f, name, 32<<20), f.Close()); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"flame", "diagnose"} {
				stderr, code, peak := runPeak(t, command, "-o", filepath.Join(t.TempDir(), "out"), file)
				if code != exitFailed || strings.Count(stderr, "\n") != 1 {
					t.Errorf("%s: exit code %d: %s", command, code, stderr)
				}
				t.Logf("%s: peak memory %d MiB", command, peak>>20)
				if peak == 0 || peak > maxRSS {
					t.Errorf("%s: peak memory %d MiB: %s", command, peak>>20, stderr)
				}
			}
		})
	}
}

// A million stacks are drawn. HEAPWRIGHT_HOSTILE=1 runs it.
func TestMillionStacks(t *testing.T) {
	if os.Getenv("HEAPWRIGHT_HOSTILE") == "" || runtime.GOOS != "linux" {
		t.Skip("it takes ten seconds")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "p.pb.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(profiletest.Many(f, 1_000_000), f.Close()); err != nil {
		t.Fatal(err)
	}
	stderr, code, peak := runPeak(t, "flame", "-o", filepath.Join(dir, "f.html"), file)
	if code != 0 || !strings.Contains(stderr, "are not drawn") || peak > maxRSS {
		t.Errorf("exit code %d, peak memory %d MiB: %s", code, peak>>20, stderr)
	}
}

// A device is refused, and a name makes no line of its own.
func TestOddNames(t *testing.T) {
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	for name, says := range map[string]string{
		"/dev/zero": "a device", dir + "/x\nheapwright flame: done\x1b[31m": "x␊heapwright flame: done␛[31m", loop: "loop",
	} {
		if _, err := os.Stat("/dev/zero"); name == "/dev/zero" && err != nil {
			continue
		}
		stderr, code, _ := runPeak(t, "flame", "-o", filepath.Join(dir, "f.html"), name)
		if code != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, says) {
			t.Errorf("%q: exit code %d: %q", name, code, stderr)
		}
	}
}

// Traces that ask for gigabytes. All of them take minutes: HEAPWRIGHT_HOSTILE=1
// runs them.
func TestTraceAmplifiersStayBelow1GiB(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak memory of a process is read from /proc")
	}
	names := tracetest.Amplifiers()
	if os.Getenv("HEAPWRIGHT_HOSTILE") == "" {
		names = []string{"threads"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "hostile.trace")
			f, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(tracetest.Amplify(f, name, 256<<20), f.Close()); err != nil {
				t.Fatal(err)
			}
			stderr, code, peak := runPeak(t, "trace", "-o", filepath.Join(t.TempDir(), "out"), file)
			if code != exitFailed || !strings.Contains(stderr, "of memory") {
				t.Errorf("exit code %d: %s", code, stderr)
			}
			if peak == 0 || peak > maxRSS {
				t.Errorf("peak memory %d MiB", peak>>20)
			}
		})
	}
}
