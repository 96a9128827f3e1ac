package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// maxMessages is more than all messages about a service take together.
const maxMessages = 2 << 10

// hostileAnswers end when the client goes.
var hostileAnswers = map[string]http.HandlerFunc{
	"endless": func(w http.ResponseWriter, _ *http.Request) {
		for zeros := make([]byte, 1<<16); ; {
			if _, err := w.Write(zeros); err != nil {
				return
			}
		}
	},
	"bomb": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		for zeros := make([]byte, 1<<20); ; {
			if _, err := z.Write(zeros); err != nil {
				return
			}
		}
	},
	"endless header": func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		c.Write([]byte("HTTP/1.1 200 OK\r\nX: "))
		for zeros := []byte(strings.Repeat("0", 1<<16)); err == nil; {
			_, err = c.Write(zeros)
		}
	},
	"large": func(w http.ResponseWriter, r *http.Request) {
		switch path.Base(r.URL.Path) {
		case "heap":
			w.Write(manyHeap())
		case "goroutine":
			w.Write(manyGoroutines())
		default:
			w.Write(manyCPU())
		}
	},
	"many variables": func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) != "vars" {
			http.NotFound(w, r)
			return
		}
		b := bufio.NewWriter(w)
		b.WriteString(`{"memstats":{}`)
		for i := range 10_000_000 {
			b.WriteString(`,"`)
			b.WriteString(strconv.Itoa(i))
			b.WriteString(`":0`)
		}
		b.WriteString("}")
		b.Flush()
	},
	"talkative": func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, strings.Repeat("no", 1<<15), http.StatusInternalServerError)
	},
	"talkative JSON": func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`{"` + strings.Repeat("no", 1<<15) + `":1}`))
	},
	"talkative redirect": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://"+strings.Repeat("no", 1<<15)+"/")
		w.WriteHeader(http.StatusFound)
	},
}

// Answers of many profiles, each made once: making one takes longer than reading it.
var (
	manyHeap       = many("alloc_objects", "alloc_space", "inuse_objects", "inuse_space")
	manyGoroutines = many("goroutine")
	manyCPU        = many()
)

func many(types ...string) func() []byte {
	return sync.OnceValue(func() []byte {
		var b bytes.Buffer
		profiletest.Many(&b, 150_000, types...)
		return b.Bytes()
	})
}

// hostile returns an answer that profiletest or hostileAnswers has.
func hostile(name string) http.HandlerFunc {
	if !slices.Contains(profiletest.Amplifiers(), name) {
		return hostileAnswers[name]
	}
	amplified := sync.OnceValue(func() []byte {
		var b bytes.Buffer
		profiletest.Amplify(&b, name, 4<<20)
		return b.Bytes()
	})
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(amplified()) }
}

// service gives some honest heap profiles, then hostile answers alone.
func service(t *testing.T, honest int64, hostile http.HandlerFunc) *httptest.Server {
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		profile := path.Base(r.URL.Path) == "heap" && !r.URL.Query().Has("debug") // not the counters below its text
		if profile && asked.Add(1) <= honest {
			pprof.Lookup("heap").WriteTo(w, 0)
			return
		}
		hostile(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// A service that answers with too much is refused within the memory that any
// input may take, at once or after an honest heap profile, and is not repeated.
// HEAPWRIGHT_HOSTILE=1 runs those that take much memory, which is minutes.
func TestHostileServices(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak memory of a process is read from /proc")
	}
	names := []string{"endless header", "talkative", "talkative JSON", "talkative redirect"}
	if os.Getenv("HEAPWRIGHT_HOSTILE") != "" {
		names = slices.Concat(slices.Collect(maps.Keys(hostileAnswers)), profiletest.Amplifiers())
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			answer := hostile(name)
			for _, command := range []string{"collect", "diagnose"} {
				for _, honest := range []int64{0, 1} {
					t.Run(command, func(t *testing.T) {
						t.Parallel()
						s := service(t, honest, answer)
						stderr, code, peak := runPeak(t, command, "-o", filepath.Join(t.TempDir(), "out"), "-duration", "1s", s.URL)
						if code == 0 && honest == 0 && name != "large" || len(stderr) > maxMessages {
							t.Errorf("exit code %d: %.2000s", code, stderr)
						}
						if peak == 0 || peak > maxRSS {
							t.Errorf("peak memory %d MiB", peak>>20)
						}
					})
				}
			}
		})
	}
}

// A service that hangs after its first heap profile is diagnosed by that one, and the
// rest is named.
func TestServiceThatHangs(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for command, want := range map[string]struct {
		code int
		file string
	}{"collect": {exitIncomplete, "result.json"}, "diagnose": {exitOK, "diagnosis.txt"}} {
		s := service(t, 1, hang)
		out := t.TempDir()
		stderr, code, _ := runPeak(t, command, "-o", out, "-duration", "1s", "-timeout", "100ms", s.URL)
		text, err := os.ReadFile(filepath.Join(out, want.file))
		if flat := strings.Join(strings.Fields(string(text)), " "); code != want.code || !strings.Contains(flat, s.URL+"/debug/vars: no whole answer within 100ms; allow more with -timeout") {
			t.Errorf("%s: exit code %d, want %d: %v, %s\n%s", command, code, want.code, err, stderr, text)
		}
	}
	s := service(t, 0, hang)
	if stderr, code, _ := runPeak(t, "trace", "-o", t.TempDir(), "-duration", "100ms", "-timeout", "100ms", s.URL); code != exitFailed ||
		!strings.Contains(stderr, s.URL+"/debug/pprof/trace?seconds=0.1: no whole answer within 200ms; allow more with -timeout") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// Ctrl-C ends waiting for a service that sends a byte now and then.
func TestInterruptSlowService(t *testing.T) {
	for _, command := range []string{"collect", "diagnose"} {
		for _, honest := range []int64{0, 1} {
			t.Run(command, func(t *testing.T) {
				t.Parallel()
				asked := make(chan string, 100)
				s := service(t, honest, func(w http.ResponseWriter, r *http.Request) {
					if path.Base(r.URL.Path) == "vars" || r.URL.Query().Has("debug") {
						http.NotFound(w, r)
						return
					}
					asked <- r.URL.Path
					for r.Context().Err() == nil {
						w.Write([]byte{0})
						http.NewResponseController(w).Flush()
						time.Sleep(10 * time.Millisecond)
					}
				})
				cmd := exec.Command("heapwright", command, "-o", filepath.Join(t.TempDir(), "out"), s.URL)
				var stderr strings.Builder
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				<-asked
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Skip(err)
				}
				kept := []string{"nothing was complete yet", "complete files are kept"}[honest]
				if cmd.Wait(); cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(stderr.String(), "interrupted") || !strings.Contains(stderr.String(), kept) {
					t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), stderr.String())
				}
			})
		}
	}
}
