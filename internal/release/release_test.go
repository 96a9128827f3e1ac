package release

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/source"
)

// program compiles a main.go and returns it with the name of its file.
func program(t *testing.T, text string) (*Program, string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	for name, text := range map[string]string{"go.mod": "module ex.com/x\n\ngo 1.24\n", "main.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, err := source.Open(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Study(t.Context(), []source.Place{{Function: "main.main", File: file, Line: 1}}); err != nil {
		t.Fatal(err)
	}
	p := New(flow.New(x))
	if len(p.functions) == 0 {
		t.Fatal("the program does not compile", x.Notes())
	}
	return p, file
}

// line returns the line of a text in which a comment stands.
func line(t *testing.T, text, mark string) int {
	t.Helper()
	before, _, ok := strings.Cut(text, "// "+mark)
	if !ok {
		t.Fatalf("no line is marked %q", mark)
	}
	return strings.Count(before, "\n") + 1
}

// agrees fails unless the exits are the lines that end with "// missed".
func agrees(t *testing.T, text string, missed []Path) {
	t.Helper()
	var got, want []int
	for _, m := range missed {
		got = append(got, m.Exit.Line)
	}
	for i, l := range strings.Split(text, "\n") {
		if strings.HasSuffix(l, "// missed") {
			want = append(want, i+1)
		}
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("missed at %v, want %v in\n%s", got, want, text)
	}
}

const locked = `package main

import "sync"

type cache struct {
	mu   sync.RWMutex
	list map[string]int
}

func (c *cache) wait() {
	c.mu.Lock() // waits
	defer c.mu.Unlock()
}

%s
func main() {}
`

func TestMissedUnlocks(t *testing.T) {
	for name, body := range map[string]string{
		"return on a hit": `func (c *cache) get(k string) int {
	c.mu.RLock()
	if v, ok := c.list[k]; ok {
		return v // missed
	}
	c.mu.RUnlock()
	return 0
}
`,
		"deferred": `func (c *cache) get(k string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if v, ok := c.list[k]; ok {
		return v
	}
	return 0
}
`,
		"the wrong one": `func (c *cache) get(k string) int {
	c.mu.RLock()
	v := c.list[k]
	c.mu.Unlock()
	return v // missed
}
`,
		"each path": `func (c *cache) get(k string) (v int) {
	c.mu.Lock()
	switch k {
	case "":
		c.mu.Unlock()
		return 1
	case "a":
		panic("no a")
	default:
		c.mu.Unlock()
	}
	return 2
}
`,
		"a loop that continues": `func (c *cache) all(keys []string) {
	for _, k := range keys {
		c.mu.Lock() // missed
		if c.list[k] == 0 {
			continue
		}
		c.mu.Unlock()
	}
} // missed
`,
		"in a function": `func (c *cache) get(k string) int {
	c.mu.Lock()
	defer c.unlock()
	return c.list[k]
}

func (c *cache) unlock() { c.mu.Unlock() }
`,
		"in a literal": `func (c *cache) get(k string) int {
	c.mu.Lock()
	defer func() {
		c.mu.Unlock()
	}()
	return c.list[k]
}
`,
		"handed on": `func (c *cache) lock() func() {
	c.mu.Lock()
	return c.mu.Unlock
}
`,
		"of another function": `func (c *cache) begin() { c.mu.Lock() }

func (c *cache) end() { c.mu.Unlock() }
`,
		"never": `func (c *cache) put(k string) {
	c.mu.Lock()
	c.list[k]++
} // missed
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf(locked, body)
			p, file := program(t, text)
			l := p.LockAt("main.(*cache).wait", file, line(t, text, "waits"))
			if l == nil || l.Name != "c.mu" {
				t.Fatal(l)
			}
			agrees(t, text, p.MissedUnlocks(l))
		})
	}
}

func TestHolds(t *testing.T) {
	text := fmt.Sprintf(locked, `func (c *cache) send(to chan int) {
	n := 0 // before
	c.mu.Lock()
	n = len(c.list)
	to <- n // within
	c.mu.Unlock()
	to <- n // after
}
`)
	p, file := program(t, text)
	l := p.LockAt("main.(*cache).wait", file, line(t, text, "waits"))
	for mark, want := range map[string]bool{"before": false, "within": true, "after": false} {
		if at, got := p.Holds(l, "main.(*cache).send", file, line(t, text, mark)); got != want || got && at.Line != line(t, text, "before")+1 {
			t.Errorf("%s: %v %v", mark, at, got)
		}
	}
}

func TestUnreleased(t *testing.T) {
	for name, body := range map[string]string{
		"before the status": `func f(c *http.Client, url string) error {
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	if resp.StatusCode != 200 {
		return errors.New("gone") // missed
	}
	defer resp.Body.Close()
	_, err = io.ReadAll(resp.Body)
	return err
}
`,
		"never": `func f(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err // missed
}
`,
		"an error of something else": `func f(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err // missed
	}
	resp.Body.Close()
	return b, nil
}
`,
		"closed": `func f(url string) error {
	resp, err := http.Get(url)
	if err != nil || resp.StatusCode == 204 && resp.Body.Close() == nil {
		return err
	}
	defer func() { io.Copy(io.Discard, resp.Body); resp.Body.Close() }()
	return nil
}
`,
		"handed on": `func f(url string) (io.ReadCloser, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}
`,
		"a helper": `func drop(r *http.Response) { r.Body.Close() }

func f(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	drop(resp)
	return nil
}
`,
		"a helper of the body": `func drop(c io.Closer) { c.Close() }

func f(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer drop(resp.Body)
	return nil
}
`,
		"a helper that does not": `func ok(r *http.Response) bool { return r.StatusCode == 200 }

func f(url string) bool {
	resp, err := http.Get(url)
	if err != nil {
		return false
	}
	return ok(resp) // missed
}
`,
		"of a handshake": `type conn struct{}

func (*conn) Close() error { return nil }

func dial(string) (*conn, *http.Response, error) { return &conn{}, nil, nil }

func f(url string) (*conn, error) {
	c, _, err := dial(url)
	return c, err
}
`,
		"of a function that returns it": `func call(url string) (*http.Response, error) {
	return http.Get(url)
}

func f(url string) error {
	resp, err := call(url)
	if err != nil {
		return err
	}
	_, err = io.ReadAll(resp.Body)
	return err // missed
}
`,
		"of a function that closes it": `func call(url string) (*http.Response, error) {
	resp, err := http.Get(url)
	if err == nil {
		resp.Body.Close()
	}
	return resp, err
}

func f(url string) (int, error) {
	resp, err := call(url)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, nil
}
`,
		"tried again": `func f(url string) error {
	for range 3 {
		resp, err := http.Get(url) // missed
		if err != nil {
			return err
		}
		if resp.StatusCode == 503 {
			continue
		}
		return resp.Body.Close()
	}
	return errors.New("unavailable") // missed
}
`,
		"rows to the end": `func f(db *sql.DB) (n int, err error) {
	rows, err := db.Query("select 1")
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}
`,
		"rows in the middle": `func f(db *sql.DB) (n int, err error) {
	rows, err := db.Query("select 1")
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, err // missed
		}
	}
	return n, rows.Err()
}
`,
		"a transaction": `func f(db *sql.DB, id int) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if _, err := tx.Exec("delete"); err != nil {
		tx.Rollback()
		return err
	}
	if id == 0 {
		return nil // missed
	}
	return tx.Commit()
}
`,
		"a ticker": `func f(done chan bool) {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-tick.C:
		case <-done:
			return // missed
		}
	}
}
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			text.WriteString("package main\n\nimport (\n")
			for _, pkg := range []string{"database/sql", "errors", "io", "net/http", "time"} {
				if strings.Contains(body, pkg[strings.LastIndexByte(pkg, '/')+1:]+".") {
					fmt.Fprintf(&text, "%q\n", pkg)
				}
			}
			text.WriteString(")\n\nfunc main() {}\n\n" + body)
			p, _ := program(t, text.String())
			var all []Path
			for _, m := range p.Unreleased(Response, Rows, Tx, Ticker) {
				all = append(all, m.Missed...)
			}
			agrees(t, text.String(), all)
		})
	}
}

// The end of what a method starts may be a method of the same value.
func TestMadeByMethod(t *testing.T) {
	const text = `package main

import "net/http"

func f(fail bool) {
	s := &http.Server{}
	s.ListenAndServe()
	if fail {
		return // missed
	}
	s.Close()
}

func g() {
	s := &http.Server{}
	defer s.Close()
	s.ListenAndServe()
}

func main() {}
`
	p, _ := program(t, text)
	var all []Path
	for _, m := range p.MadeBy(func(fn *types.Func) bool { return fn.Name() == "ListenAndServe" }, true) {
		if m.Of != "s" || len(m.Methods) == 0 {
			t.Errorf("%+v", m)
		}
		all = append(all, m.Missed...)
	}
	agrees(t, text, all)
}
