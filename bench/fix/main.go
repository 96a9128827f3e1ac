// Fix runs heapwright fix on public modules that nobody here wrote, at their newest
// version. It prints docs/results/fix.md, with every patch that is offered.
//
//	go -C bench run ./fix > docs/results/fix.md
//	go -C bench run ./fix -again > docs/results/fix.md
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/fix"
)

// module is a public module and the judgement on its patch.
type module struct {
	Module string
	Args   []string // packages and flags; none is ./...
	Patch  string   // what a reader says of the patch
}

//go:embed modules.toml
var written string

type settings struct {
	only, out, tool string
	budget          time.Duration
	again           bool
}

func main() {
	var s settings
	flag.StringVar(&s.only, "only", "", "only modules whose name matches `REGEXP`")
	flag.StringVar(&s.out, "o", "../heapwright-out/fix", "keep modules and answers in `DIR`")
	flag.StringVar(&s.tool, "tool", "", "use this `FILE` of heapwright instead of building it")
	flag.DurationVar(&s.budget, "budget", 10*time.Minute, "measure each module for about `TIME`")
	flag.BoolVar(&s.again, "again", false, "run nothing: print the answers that an earlier run kept")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) error {
	var all map[string]*module
	names, err := toml.Decode(written, &all)
	if err != nil {
		return err
	}
	only, err := regexp.Compile(s.only)
	if err != nil {
		return err
	}
	if s.out, err = filepath.Abs(s.out); err != nil {
		return err
	}
	if !s.again {
		if err := os.MkdirAll(s.out, 0o777); err != nil {
			return err
		}
		if s.tool, err = program.Heapwright(ctx, s.tool, s.out); err != nil {
			return err
		}
	}
	marks := map[string]page.Mark{}
	var rows, patches strings.Builder
	proven, asked := 0, 0
	for _, key := range names.Keys() {
		name := key[0]
		if len(key) > 1 || !only.MatchString(name) {
			continue
		}
		r, err := s.answer(ctx, name, all[name])
		switch {
		case s.again && errors.Is(err, os.ErrNotExist):
			continue // not run
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		asked++
		if r.Document.Patch != "" {
			proven++
			fmt.Fprintf(&patches, "### %s\n\n%s\n\n```diff\n%s```\n\n", name, r.Document.Gain.Words(), r.Document.Patch)
		}
		marks[name] = r.Mark
		rows.WriteString(r.row(name, all[name]))
	}
	p := page.Page{File: "fix.md", Title: "Fix on modules of others", Marks: marks}
	p.About = about + fmt.Sprintf("**%d of %d modules get a proven patch.**\n", proven, asked)
	columns := page.Columns("module", "changes tried", "kept", "unproven", "answer", "a reader says", "time:")
	p.Sections = []page.Section{
		{Title: "Answers", Text: columns + rows.String()}, {Title: "Patches", Text: patches.String()},
	}
	fmt.Print(p.String("fix"))
	return nil
}

const about = "Each module is a public one at the newest version, as the module proxy has it. `heapwright fix`\n" +
	"gets its benchmarks and nothing else. A patch is proven if the comparison says that it is better and on\n" +
	"nothing worse, and the module's tests and race tests pass with it. The modules were chosen because they\n" +
	"have benchmarks and reports of `vet`, not for the outcome. The time has building and tests.\n\n"

// result is what a run leaves beside the documents of fix.
type result struct {
	Mark     page.Mark
	Took     time.Duration
	Document *fix.Document `json:"-"`
}

// answer runs fix on a module, or reads the answer that was kept.
func (s *settings) answer(ctx context.Context, name string, m *module) (*result, error) {
	dir := filepath.Join(s.out, name)
	if !s.again {
		if err := s.fix(ctx, dir, m); err != nil {
			return nil, err
		}
	}
	r, err := program.ReadJSON[result](filepath.Join(dir, "kept.json"))
	if err != nil {
		return nil, err
	}
	d, err := program.ReadJSON[fix.Document](filepath.Join(dir, "fix.json"))
	r.Document = &d
	return &r, err
}

func (s *settings) fix(ctx context.Context, dir string, m *module) error {
	folder := filepath.Join(dir, "module")
	if err := fetch.Module(ctx, m.Module, folder); err != nil {
		return err
	}
	args := []string{s.tool, "fix", "-C", folder, "-o", dir, "-budget", s.budget.String()}
	if args = append(args, m.Args...); len(m.Args) == 0 {
		args = append(args, "./...")
	}
	start := time.Now()
	if err := program.Outside("").Run(ctx, args...); err != nil {
		return err
	}
	text, err := json.Marshal(result{Mark: page.Now(), Took: time.Since(start)})
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "kept.json"), text, 0o666))
}

func (r *result) row(name string, m *module) string {
	count := map[fix.Outcome]int{}
	for _, c := range r.Document.Changes {
		count[c.Outcome]++
	}
	answer, _, _ := strings.Cut(r.Document.Answer, ". The diagnosis has")
	reader := "-"
	if r.Document.Patch != "" {
		reader = cmp.Or(m.Patch, "not read yet")
	}
	return page.Row(name+", "+m.Module, len(r.Document.Changes), count[fix.Kept], count[fix.Unproven], answer,
		reader, r.Took.Round(time.Second))
}
