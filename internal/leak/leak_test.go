package leak

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/source"
)

const (
	park     = "runtime.gopark@/go/src/runtime/proc.go:1 "
	exit     = "runtime.goexit@/go/src/runtime/asm.s:1"
	serve    = "net/http.HandlerFunc.ServeHTTP@/go/src/net/http/server.go:2 net/http.(*conn).serve@/go/src/net/http/server.go:1 " + exit
	rlock    = park + "sync.runtime_SemacquireRWMutexR@/go/src/runtime/sema.go:1 sync.(*RWMutex).RLock@/go/src/sync/rwmutex.go:1 "
	lock     = park + "internal/sync.(*Mutex).lockSlow@/go/src/internal/sync/mutex.go:1 sync.(*Mutex).Lock@/go/src/sync/mutex.go:1 "
	send     = park + "runtime.chansend1@/go/src/runtime/chan.go:1 "
	recv     = park + "runtime.chanrecv2@/go/src/runtime/chan.go:1 "
	choose   = park + "runtime.selectgo@/go/src/runtime/select.go:1 "
	sleep    = park + "time.Sleep@/go/src/runtime/time.go:1 "
	netin    = park + "internal/poll.runtime_pollWait@/go/src/runtime/netpoll.go:1 internal/poll.(*FD).Read@/go/src/internal/poll/fd_unix.go:1 net.(*conn).Read@/go/src/net/net.go:1 "
	inKernel = "syscall.Syscall@/go/src/syscall/syscall_linux.go:1 syscall.read@/go/src/syscall/zsyscall_linux_amd64.go:1 os.(*File).Read@/go/src/os/file.go:1 "
	group    = park + "sync.runtime_SemacquireWaitGroup@/go/src/runtime/sema.go:1 sync.(*WaitGroup).Wait@/go/src/sync/waitgroup.go:1 "
	dbconn   = choose + "database/sql.(*DB).conn@/go/src/database/sql/sql.go:1 database/sql.(*DB).Query@/go/src/database/sql/sql.go:2 "
	answer   = choose + "net/http.(*persistConn).roundTrip@/go/src/net/http/transport.go:1 net/http.(*Client).Get@/go/src/net/http/client.go:1 "
	// What connections of a client do while a body is open, and while they are idle.
	open = choose + "net/http.(*persistConn).readLoop@/go/src/net/http/transport.go:2 " + exit
	idle = netin + "net/http.(*persistConn).readLoop@/go/src/net/http/transport.go:3 " + exit
)

// leaksOf returns the leaks of a program whose goroutines with a stack grow or stay.
// In the stack, "@text@FUNCTION" stands for the line of the program with that text.
func leaksOf(t *testing.T, text, stack string, counts ...int64) []Leak {
	t.Helper()
	all := evidence.NewProfiles(0)
	for i, n := range counts {
		m := profiletest.New("goroutine/count").Add(stack, n).Add(mainOf(t, text), 1)
		m.TimeNanos = (1_700_000_000 + int64(60*i)) * 1e9
		if err := all.AddFile(m.File(t, fmt.Sprintf("goroutines-%d", i))); err != nil {
			t.Fatal(err)
		}
	}
	return find(t, folder(t, text), all)
}

// mainOf is the stack of the program's main goroutine.
func mainOf(t *testing.T, text string) string {
	return frameAt(t, text, "main", "func main()") + "runtime.main@/go/src/runtime/proc.go:1"
}

// folder writes a program to a folder of its own.
func folder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module ex.com/x\n\ngo 1.24\n", "main.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// find returns the leaks of the program in a folder.
func find(t *testing.T, dir string, all *evidence.Profiles) []Leak {
	t.Helper()
	x, err := source.Open(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	e, err := evidence.New(t.Context(), all, x, evidence.Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	return Find(e)
}

func lineOf(t *testing.T, text, what string) int {
	t.Helper()
	before, _, ok := strings.Cut(text, what)
	if !ok {
		t.Fatalf("no line has %q", what)
	}
	return strings.Count(before, "\n") + 1
}

// frame is a line of the program.
func frameAt(t *testing.T, text, function, what string) string {
	t.Helper()
	return fmt.Sprintf("main.%s@ex.com/x/main.go:%d ", function, lineOf(t, text, what))
}

// program makes a main.go of declarations.
func program(body string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, pkg := range []string{"context", "database/sql", "errors", "io", "net", "net/http", "os", "os/signal", "sync", "time"} {
		if strings.Contains(body, pkg[strings.LastIndexByte(pkg, '/')+1:]+".") {
			fmt.Fprintf(&b, "\t%q\n", pkg)
		}
	}
	b.WriteString(")\n\n" + body)
	if !strings.Contains(body, "func main()") {
		b.WriteString("\nfunc main() {}\n")
	}
	return b.String()
}

// kinds are leaks, with the words of the answer and the line to change.
var kinds = []struct {
	name, body                 string
	above, function, at, below string // the stack: above the line, the line, below it
	title, remedy, change      string
}{
	{"lock", "type c struct {\n\tmu sync.RWMutex\n\tm map[string]int\n}\n\nfunc (c *c) get(k string) int {\n\tc.mu.RLock() // here\n\tif v := c.m[k]; v > 0 {\n\t\treturn v\n\t}\n\tc.mu.RUnlock()\n\treturn 0\n}\n",
		rlock, "(*c).get", "// here", exit, "wait for c.mu", "returns without c.mu.RUnlock", "return v"},
	{"lock without defer", "var mu sync.Mutex\nvar out = make(chan int)\n\nfunc put() {\n\tmu.Lock() // here\n\tout <- 1\n\tmu.Unlock()\n}\n",
		lock, "put", "// here", exit, "wait for mu", "Locked without a deferred Unlock", ""},
	{"rows", "func one(db *sql.DB) (n int, err error) {\n\trows, err := db.Query(\"select\") // here\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\tif rows.Next() {\n\t\treturn 1, nil\n\t}\n\treturn 0, rows.Close()\n}\n",
		dbconn, "one", "// here", exit, "wait for a database connection", "defer rows.Close()", "return 1, nil"},
	{"group", "func all() {\n\tvar wg sync.WaitGroup\n\twg.Add(1)\n\tgo func() {\n\t\tif time.Now().IsZero() {\n\t\t\treturn // early\n\t\t}\n\t\twg.Done()\n\t}()\n\twg.Wait() // here\n}\n",
		group, "all", "// here", exit, "wait for wg", "wg.Done", "// early"},
	{"result nobody fetches", "func ask(ctx context.Context) int {\n\tout := make(chan int)\n\tgo func() {\n\t\tout <- 1 // here\n\t}()\n\tselect {\n\tcase v := <-out:\n\t\treturn v\n\tcase <-ctx.Done():\n\t\treturn 0\n\t}\n}\n",
		send, "ask.func1", "// here", exit, "send to out", "make(chan T, 1)", "make(chan int)"},
	{"channel that a path does not close", "func make1(n int, to chan<- int) error {\n\tif n == 3 {\n\t\treturn errors.New(\"three\")\n\t}\n\tclose(to)\n\treturn nil\n}\n\nfunc job(n int) {\n\tch := make(chan int)\n\tgo func() {\n\t\tfor range ch { // here\n\t\t}\n\t}()\n\tmake1(n, ch)\n}\n",
		recv, "job.func1", "// here", exit, "value from ch", "without closing ch", "errors.New(\"three\")"},
	{"semaphore", "var sem = make(chan struct{}, 4)\n\nfunc do(n int) {\n\tsem <- struct{}{} // here\n\tif n == 0 {\n\t\treturn // early\n\t}\n\t<-sem\n}\n",
		send, "do", "// here", exit, "wait for room in sem", "giving back", "// early"},
	{"tokens", "type sink struct{ tokens chan struct{} }\n\nfunc (s *sink) fill() {\n\tfor {\n\t\ttime.Sleep(time.Second)\n\t\ts.tokens <- struct{}{}\n\t}\n}\n\nfunc (s *sink) create() {\n\t<-s.tokens // here\n}\n\nfunc emit(s *sink) {\n\tgo s.create()\n}\n",
		recv, "(*sink).create", "// here", exit, "wait for their turn at s.tokens", "Bound their number", ""},
	{"select without an end", "func follow(in chan int) {\n\tfor {\n\t\tselect { // here\n\t\tcase <-in:\n\t\tcase <-time.After(time.Hour):\n\t\t}\n\t}\n}\n",
		choose, "follow", "// here", exit, "select without an end", "ctx.Done()", ""},
	{"context that is not cancelled", "func start() {\n\tctx, cancel := context.WithCancel(context.Background()) // made\n\tgo follow(ctx)\n\tif time.Now().IsZero() {\n\t\tcancel()\n\t}\n}\n\nfunc follow(ctx context.Context) {\n\tselect { // here\n\tcase <-ctx.Done():\n\t}\n}\n",
		choose, "follow", "// here", exit, "whose end does not come", "defer cancel()", "// made"},
	{"ticker", "func check(t *time.Ticker) {\n\tfor range t.C { // here\n\t}\n}\n\nfunc start() *time.Ticker {\n\tt := time.NewTicker(time.Hour)\n\tgo check(t)\n\treturn t\n}\n",
		recv, "check", "// here", exit, "which t.Stop does not close", "done channel or ctx.Done()", ""},
	{"signals", "func forward(in chan os.Signal, p *os.Process) {\n\tfor s := range in { // here\n\t\tp.Signal(s)\n\t}\n}\n\nfunc start(p *os.Process) {\n\tin := make(chan os.Signal, 1)\n\tsignal.Notify(in)\n\tgo forward(in, p)\n\tp.Wait()\n\tsignal.Stop(in)\n}\n",
		recv, "forward", "// here", exit, "which signal.Stop does not close", "done channel", ""},
	{"system call", "func read(c net.Conn, block []byte) {\n\tc.Read(block) // here\n}\n\nfunc all(c net.Conn) {\n\tfor {\n\t\tgo read(c, nil)\n\t}\n}\n",
		inKernel, "read", "// here", exit, "in a system call or in C, each with a thread", "started at main.go:13", ""},
	{"janitor", "func sweep() {\n\tfor {\n\t\ttime.Sleep(time.Minute) // here\n\t}\n}\n\nfunc open() {\n\tgo sweep()\n}\n",
		sleep, "sweep", "// here", exit, "sleep in a loop", "started at main.go:14", ""},
	{"server that does not answer", "func get(c *http.Client) {\n\tc.Get(\"http://x\") // here\n}\n",
		answer, "get", "// here", exit, "wait for HTTP responses", "Timeout", ""},
	{"body", "func check(url string) error {\n\tresp, err := http.Get(url) // here\n\tif err != nil {\n\t\treturn err\n\t}\n\tif resp.StatusCode != 200 {\n\t\treturn errors.New(\"gone\")\n\t}\n\treturn resp.Body.Close()\n}\n",
		open, "", "", "", "the body of http.Get is not closed", "defer resp.Body.Close()", "errors.New(\"gone\")"},
	{"transport", "func check(url string) error {\n\tc := http.Client{Transport: &http.Transport{}} // here\n\tresp, err := c.Get(url)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn resp.Body.Close()\n}\n\nfunc main() {\n\tfor {\n\t\tcheck(\"http://x\")\n\t}\n}\n",
		idle, "", "", "", "a Transport is made for each client", "share them", ""},
}

func TestKinds(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			text := program(k.body)
			stack := k.above
			if k.function != "" {
				stack += frameAt(t, text, k.function, k.at) + k.below
			}
			all := leaksOf(t, text, stack, 100, 200, 300, 400)
			if len(all) != 1 {
				t.Fatalf("%d leaks", len(all))
			}
			l := all[0]
			if !strings.Contains(l.Title, k.title) || !strings.Contains(l.Remedy, k.remedy) || l.Example == "" {
				t.Errorf("%s\n%s\n%s", l.Title, l.Remedy, l.Example)
			}
			if want := lineOf(t, text, orText(k.at, "// here", text)); l.At.Line != want {
				t.Errorf("at line %d, want %d", l.At.Line, want)
			}
			if k.change != "" && (l.Change == nil || l.Change.Line != lineOf(t, text, k.change)) {
				t.Errorf("change %+v, want line %d", l.Change, lineOf(t, text, k.change))
			}
		})
	}
}

// A deadline of other connections ends none of these.
func TestDeadlinesOfOtherConnections(t *testing.T) {
	text := program("func tunnel(a, b net.Conn) {\n\tgo io.Copy(a, b)\n\tio.Copy(b, a) // here\n}\n\nfunc visit(c net.Conn) {\n\tc.SetReadDeadline(time.Now().Add(time.Second))\n\tc.Read(nil)\n}\n")
	all := leaksOf(t, text, netin+"io.copyBuffer@/go/src/io/io.go:9 io.Copy@/go/src/io/io.go:8 "+frameAt(t, text, "tunnel", "// here")+exit, 100, 200, 300, 400)
	if len(all) != 1 || !strings.Contains(all[0].Title, "copy from connections that do not end") || !strings.Contains(all[0].Remedy, "CloseWrite") {
		t.Errorf("%+v", all)
	}
}

// orText returns the first text that is not empty and stands in the program.
func orText(a, b, text string) string {
	if a != "" && strings.Contains(text, a) {
		return a
	}
	return b
}

// Services that do what they should grow for a while as well.
func TestCleanServices(t *testing.T) {
	for _, c := range []struct {
		name, body                 string
		above, function, at, below string
	}{
		{"connections that clients keep open", "", netin + "net/http.(*conn).serve@/go/src/net/http/server.go:1 " + exit, "", "", ""},
		{"long polling", "var in = make(chan int)\n\nfunc poll(w http.ResponseWriter, r *http.Request) {\n\tselect { // here\n\tcase <-in:\n\tcase <-r.Context().Done():\n\t}\n}\n", choose, "poll", "// here", serve},
		{"workers that end after a time", "var jobs = make(chan int)\n\nfunc work() {\n\tfor {\n\t\tselect { // here\n\t\tcase <-jobs:\n\t\tcase <-time.After(time.Minute):\n\t\t\treturn\n\t\t}\n\t}\n}\n", choose, "work", "// here", exit},
		{"workers of a queue that is made once", "type q struct{ in chan int }\n\nfunc newQ() *q { return &q{in: make(chan int)} }\n\nfunc (q *q) work(ctx context.Context) {\n\tfor {\n\t\tselect { // here\n\t\tcase <-q.in:\n\t\tcase <-ctx.Done():\n\t\t\treturn\n\t\t}\n\t}\n}\n\nfunc main() {\n\tq := newQ()\n\tfor {\n\t\tgo q.work(nil)\n\t}\n}\n", choose, "(*q).work", "// here", exit},
		{"a handler that waits for its client to leave", "func hang(w http.ResponseWriter, r *http.Request) {\n\t<-r.Context().Done() // here\n}\n", recv, "hang", "// here", serve},
		{"a pool that fills", "var jobs = make(chan int)\n\nfunc work() {\n\tfor range jobs { // here\n\t}\n}\n", recv, "work", "// here", exit},
		{"pollers", "func poll(c *http.Client) {\n\tfor {\n\t\tc.Get(\"http://x\") // here\n\t}\n}\n", answer, "poll", "// here", exit},
		{"idle connections", "func main() {\n\tc := &http.Client{Transport: &http.Transport{}}\n\tfor {\n\t\tif resp, err := c.Get(\"http://x\"); err == nil {\n\t\t\tresp.Body.Close()\n\t\t}\n\t}\n}\n", idle, "", "", ""},
		{"work that sleeps once", "func unit() {\n\ttime.Sleep(time.Second) // here\n}\n", sleep, "unit", "// here", exit},
		{"connections with deadlines", "func talk(c net.Conn) {\n\tc.SetReadDeadline(time.Now().Add(time.Second))\n\tc.Read(nil) // here\n}\n", netin, "talk", "// here", exit},
		{"connections whose starter sets deadlines", "func accept(c net.Conn) {\n\tc.SetDeadline(time.Now().Add(time.Second))\n\tgo talk(c)\n}\n\nfunc talk(c net.Conn) {\n\tc.Read(nil) // here\n}\n", netin, "talk", "// here", exit},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := program(c.body)
			stack := c.above
			if c.function != "" {
				stack += frameAt(t, text, c.function, c.at) + c.below
			}
			for _, l := range leaksOf(t, text, stack, 100, 200, 300, 400) {
				t.Errorf("%s\n%s", l.Title, l.Remedy)
			}
		})
	}
}

// A text dump says who started the goroutines of a library.
func TestCreators(t *testing.T) {
	text := program("func open() {\n\tgo io.Copy(io.Discard, nil) // here\n}\n")
	dir := folder(t, text)
	all := evidence.NewProfiles(0)
	for i := range 3 {
		var dump strings.Builder
		for n := range 100 * (i + 1) {
			fmt.Fprintf(&dump, "goroutine %d [IO wait, 2 minutes]:\ninternal/poll.runtime_pollWait(0x1)\n\t/go/src/runtime/netpoll.go:1 +0x1\n"+
				"io.Copy(...)\n\t/go/src/io/io.go:388\ncreated by main.open in goroutine 1\n\t%s:%d +0x5\n\n", n+1, filepath.Join(dir, "main.go"), lineOf(t, text, "// here"))
		}
		if err := all.AddBytes(fmt.Sprintf("dump-%d", i), []byte(dump.String())); err != nil {
			t.Fatal(err)
		}
	}
	leaks := find(t, dir, all)
	if len(leaks) != 1 || leaks[0].At.Line != lineOf(t, text, "// here") || !strings.Contains(leaks[0].Title, "300 goroutines of io.Copy are started here") {
		t.Errorf("%+v", leaks)
	}
}

// Numbers that stay, fall or level off are no leak, whatever is waited for.
func TestSteady(t *testing.T) {
	k := kinds[0]
	text := program(k.body)
	for _, counts := range [][]int64{{400, 400, 400, 400}, {5000, 3000, 2000, 1500}, {100, 390, 400, 400, 400, 400}} {
		for _, l := range leaksOf(t, text, k.above+frameAt(t, text, k.function, k.at)+k.below, counts...) {
			t.Errorf("%v: %s", counts, l.Title)
		}
	}
}

// A lock that a waiting goroutine holds leads to what that waits for.
func TestLockHeldByAWaiter(t *testing.T) {
	text := program("var mu sync.Mutex\nvar out = make(chan int)\n\nfunc put() {\n\tmu.Lock() // locked\n\tdefer mu.Unlock()\n\tout <- 1 // sends\n}\n\nfunc get() {\n\tmu.Lock() // here\n\tdefer mu.Unlock()\n\tsum()\n}\n\nfunc sum() {\n\tmu.Lock() // again\n\tmu.Unlock()\n}\n")
	for _, test := range []struct{ holder, title, remedy string }{
		{send + frameAt(t, text, "put", "// sends") + exit, "which is locked while main.go:13 waits", "held, since main.go:11, by a goroutine that waits for a receiver of a channel"},
		{lock + frameAt(t, text, "sum", "// again") + frameAt(t, text, "get", "sum()\n}\n\nfunc sum") + exit, "which its own goroutine has locked at main.go:17", "locks it again at main.go:23"},
	} {
		all := evidence.NewProfiles(0)
		m := profiletest.New("goroutine/count").Add(lock+frameAt(t, text, "get", "// here")+exit, 5000).Add(test.holder, 1).Add(mainOf(t, text), 1)
		if err := all.AddFile(m.File(t, "goroutines")); err != nil {
			t.Fatal(err)
		}
		leaks := find(t, folder(t, text), all)
		if len(leaks) != 1 || !strings.Contains(leaks[0].Title, test.title) || !strings.Contains(leaks[0].Remedy, test.remedy) {
			t.Errorf("%+v\n%s", leaks, text)
		}
	}
}

// A hub whose own goroutine waits is why nobody receives from it.
func TestReceiverWaits(t *testing.T) {
	text := program("type hub struct{ in, gone chan int }\n\nfunc (h *hub) run(c net.Conn) {\n\tfor {\n\t\tselect { // serves\n\t\tcase <-h.gone:\n\t\tcase <-h.in:\n\t\t\th.gone <- 1 // itself\n\t\t\tc.Read(nil) // network\n\t\t\tstop(nil) // drains\n\t\t}\n\t}\n}\n\nfunc stop(t *time.Timer) {\n\tif !t.Stop() {\n\t\t<-t.C // fired\n\t}\n}\n\nfunc (h *hub) post() {\n\th.in <- 1 // here\n}\n")
	for _, test := range []struct{ hub, change, title, remedy string }{
		{send + frameAt(t, text, "(*hub).run", "// itself") + exit, "// itself",
			"h.in, and nobody receives: the receiver waits at main.go:15",
			"sends to h.gone at main.go:15, and it is the only receiver"},
		{netin + frameAt(t, text, "(*hub).run", "// network") + exit, "// network",
			"the receiver waits at main.go:16", "waits for data from the network at main.go:16"},
		{recv + frameAt(t, text, "stop", "// fired") + frameAt(t, text, "(*hub).run", "// drains") + exit, "// fired",
			"the receiver waits at main.go:24 for a timer", "Do not drain it"},
		{choose + frameAt(t, text, "(*hub).run", "// serves") + exit, "",
			"and nobody receives", "does not keep up or has ended"},
	} {
		all := evidence.NewProfiles(0)
		m := profiletest.New("goroutine/count").Add(send+frameAt(t, text, "(*hub).post", "// here")+exit, 5000).Add(test.hub, 1).Add(mainOf(t, text), 1)
		if err := all.AddFile(m.File(t, "goroutines")); err != nil {
			t.Fatal(err)
		}
		leaks := find(t, folder(t, text), all)
		if len(leaks) != 1 || !strings.Contains(leaks[0].Title, test.title) || !strings.Contains(leaks[0].Remedy, test.remedy) {
			t.Errorf("%+v\n%s", leaks, text)
			continue
		}
		if change := leaks[0].Change; test.change != "" && (change == nil || change.Line != lineOf(t, text, test.change)) {
			t.Errorf("change %+v", change)
		}
	}
}

// More and more requests that wait for a semaphore are a leak of it. A steady number of
// them is load.
func TestSemaphoreOfHandlers(t *testing.T) {
	text := program("func hang(w http.ResponseWriter, r *http.Request) {\n\thang(w, r) // here\n}\n")
	stack := choose + "golang.org/x/sync/semaphore.(*Weighted).Acquire@/go/pkg/mod/golang.org/x/sync@v0.1.0/semaphore/semaphore.go:1 " +
		frameAt(t, text, "hang", "// here") + serve
	all := leaksOf(t, text, stack, 100, 200, 300, 400)
	if len(all) != 1 || !strings.Contains(all[0].Title, "400 goroutines wait for a semaphore") || !strings.Contains(all[0].Remedy, "without Release") {
		t.Errorf("%+v", all)
	}
	if all := leaksOf(t, text, stack, 300, 300, 300, 300); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// Goroutines that copy the output of commands wait for whoever holds the pipe open.
func TestOutputOfCommands(t *testing.T) {
	text := program("func run() {\n\trun() // here\n}\n")
	copies := netin + "os/exec.(*Cmd).Start.func2@/go/src/os/exec/exec.go:2 " + exit
	start := "syscall.forkExec@/go/src/syscall/exec_unix.go:1 os/exec.(*Cmd).Start@/go/src/os/exec/exec.go:1 os/exec.(*Cmd).Run@/go/src/os/exec/exec.go:3 " +
		frameAt(t, text, "run", "// here")
	all := evidence.NewProfiles(0)
	for i, n := range []int64{100, 200, 300, 400} {
		m := profiletest.New("goroutine/count").Add(copies, n).Add(mainOf(t, text), 1)
		m.TimeNanos = (1_700_000_000 + int64(60*i)) * 1e9
		heap := profiletest.NewHeap(int64(60*i)).Heap(n*1000, n*1000, start+mainOf(t, text))
		heap.TimeNanos = m.TimeNanos
		for name, file := range map[string]string{"goroutines": m.File(t, fmt.Sprintf("goroutines-%d", i)), "heap": heap.File(t, fmt.Sprintf("heap-%d", i))} {
			if err := all.AddFile(file); err != nil {
				t.Fatal(name, err)
			}
		}
	}
	leaks := find(t, folder(t, text), all)
	if len(leaks) != 1 || leaks[0].At.Line != lineOf(t, text, "// here") || !strings.Contains(leaks[0].Title, "copy the output of commands") ||
		!strings.Contains(leaks[0].Remedy, "WaitDelay") {
		t.Errorf("%+v", leaks)
	}
}

// Threads in system calls are a finding if they are many, even if their number stays.
func TestThreads(t *testing.T) {
	text := program("func read(c net.Conn) {\n\tc.Read(nil) // here\n}\n")
	stack := inKernel + frameAt(t, text, "read", "// here") + exit
	if all := leaksOf(t, text, stack, 240, 310, 190, 400); len(all) != 1 || all[0].Confidence != evidence.Medium {
		t.Errorf("%+v", all)
	}
	if all := leaksOf(t, text, stack, 80, 90, 80, 90); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// A library may start goroutines at the first use of a value, which no call of the program
// shows: the value's literal does.
func TestGoroutinesOfALiteral(t *testing.T) {
	const text = `package main

import (
	"io"
	"net/http"
	"net/http/httputil"
)

func proxy(w http.ResponseWriter, r *http.Request) {
	p := &httputil.ReverseProxy{Rewrite: rewrite}
	use(p)
}

func rewrite(r *httputil.ProxyRequest) {}

func use(h http.Handler) { io.Discard.Write(nil) }

func main() { http.HandleFunc("/", proxy) }
`
	janitor := recv + "net/http/httputil.(*ReverseProxy).janitor@/go/src/net/http/httputil/reverseproxy.go:1 " + exit
	found := leaksOf(t, text, janitor, 100, 200, 300, 400, 500)
	if len(found) != 1 || found[0].At.Line != 10 || !strings.Contains(found[0].Remedy, "make one and share it") {
		t.Errorf("%+v", found)
	}
}

// Few goroutines whose number grows for certain, and has doubled, are no pool that fills.
func TestFewGoroutines(t *testing.T) {
	text := program("func work() {\n\ttime.Sleep(time.Hour) // here\n}\n\nfunc all() {\n\tfor {\n\t\twork()\n\t}\n}\n")
	stack := lock + frameAt(t, text, "work", "// here") + exit
	for want, counts := range map[int][]int64{1: {8, 11, 14, 17, 20, 24, 28, 32, 36, 40}, 0: {25, 26, 27, 28, 29, 30, 31, 32, 33, 34}} {
		if found := leaksOf(t, text, stack, counts...); len(found) != want {
			t.Errorf("%v: %d leaks, want %d", counts, len(found), want)
		}
	}
}

// Some goroutines end in a way that no method of a value shows: by a call of their library, or
// by starting fewer of them.
func TestKnownLibraries(t *testing.T) {
	text := program("func job() {\n\ttime.Sleep(time.Hour) // here\n}\n\nfunc all() {\n\tfor {\n\t\tjob()\n\t}\n}\n")
	for stack, want := range map[string]string{
		recv + "k8s.io/client-go/tools/cache.(*processorListener).run@/m/cache/shared_informer.go:1 " + exit:                     "RemoveEventHandler",
		choose + "google.golang.org/grpc.newClientStreamWithParams.func4@/m/grpc/stream.go:1 " + exit:                            "CloseSend only ends the sending",
		lock + frameAt(t, text, "job", "// here") + "github.com/robfig/cron/v3.(*Cron).startJob.func1@/m/cron/cron.go:1 " + exit: "SkipIfStillRunning",
	} {
		found := leaksOf(t, text, stack, 100, 200, 300, 400, 500)
		if len(found) != 1 || !strings.Contains(found[0].Remedy, want) {
			t.Errorf("want %s: %+v", want, found)
		}
	}
}
