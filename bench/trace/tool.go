package main

import (
	"bufio"
	"context"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

var (
	address = regexp.MustCompile(`listening on (http://\S+)`)
	kinds   = regexp.MustCompile(`/goroutine\?name=([^"]+)`)
	tables  = regexp.MustCompile(`(?s)<table class="details">(.*?)</table>`)
	heads   = regexp.MustCompile(`(?s)<th[^>]*>(.*?)</th>`)
	rows    = regexp.MustCompile(`(?s)<tr>(.*?)</tr>`)
	cells   = regexp.MustCompile(`(?s)<td>(.*?)</td>`)
)

// toolTrace returns the times that go tool trace shows for the goroutines of the
// program, added up by their names: "GC mark assist", "Sched wait time".
func toolTrace(ctx context.Context, file string) (map[string]time.Duration, error) {
	// The tool is a server. If the go command started it, it would outlive the go command.
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	tool, err := program.In{}.Line(ctx, "go", "tool", "-n", "trace")
	if err != nil {
		cancel()
		return nil, err
	}
	cmd := program.In{Env: []string{"BROWSER=true"}}.Command(ctx, tool, "-http=127.0.0.1:0", file) // opens none
	cmd.Stderr = nil
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	defer cmd.Wait()
	defer cancel()

	// It writes its address to standard error when it is ready.
	base := ""
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			base = m[1]
			break
		}
	}
	if base == "" {
		return nil, fmt.Errorf("go tool trace %s: does not say where it listens", file)
	}

	// Goroutines of the runtime are not the program's.
	list, err := program.Get(ctx, base+"/goroutines")
	if err != nil {
		return nil, err
	}
	sums := map[string]time.Duration{}
	for _, m := range kinds.FindAllStringSubmatch(string(list), -1) {
		name, err := url.QueryUnescape(html.UnescapeString(m[1]))
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, "runtime.") && name != "runtime.main" || strings.HasPrefix(name, "runtime/trace.") {
			continue
		}
		page, err := program.Get(ctx, base+"/goroutine?name="+m[1])
		if err != nil {
			return nil, err
		}
		if err := addUp(sums, string(page)); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// addUp adds the columns of a page's tables. The cells of a breakdown begin after
// two without a name: the goroutine and its picture.
func addUp(sums map[string]time.Duration, page string) error {
	for _, table := range tables.FindAllStringSubmatch(page, -1) {
		var names []string
		for _, h := range heads.FindAllStringSubmatch(table[1], -1) {
			if name := strings.TrimSpace(html.UnescapeString(h[1])); name != "" && name != "Goroutine" && name != "Total" {
				names = append(names, name)
			}
		}
		for _, row := range rows.FindAllStringSubmatch(table[1], -1) {
			var values []time.Duration
			for _, c := range cells.FindAllStringSubmatch(row[1], -1) {
				if v, err := time.ParseDuration(strings.TrimSpace(c[1])); err == nil {
					values = append(values, v)
				}
			}
			if len(values) == 0 {
				continue // the head
			}
			if len(values) != len(names)+1 {
				return fmt.Errorf("go tool trace shows %d times in a row of %q; another version of Go?", len(values), names)
			}
			for i, v := range values[1:] { // the first is the total
				sums[names[i]] += v
			}
		}
	}
	return nil
}
