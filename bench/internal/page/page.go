// Package page writes the pages of docs/results.
//
// The stance: the first lines of a page name the command that makes it and the commit
// that was measured. If some rows were measured at another commit, the page names
// them. So nobody has to stitch pages by hand: a program that measures a part
// replaces the sections of that part and keeps the others. A page with many figures in
// its text is a template, which reads as the page does.
package page

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

var note = flag.String("note", "", "add `TEXT` to the commit that the page names, such as 'on a quiet machine'")

// Page is a page of docs/results.
type Page struct {
	File, Title, About string

	// Marks say of which commit rows are that a program measured earlier and kept, by the
	// names of the rows. Without marks all is measured now.
	Marks    map[string]Mark
	Sections []Section
}

// Section is a part of a page below a heading of the second level.
type Section struct{ Title, Text string }

// Mark is where something was measured.
type Mark struct{ Commit, Note string }

func (m Mark) String() string {
	if m.Note == "" {
		return m.Commit
	}
	return m.Commit + ", " + m.Note
}

// Now is the commit of the checkout. Documents do not count as changes.
func Now() Mark {
	m := Mark{"unknown", *note}
	if hash, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output(); err == nil {
		m.Commit = strings.TrimSpace(string(hash))
	}
	if exec.Command("git", "diff", "--quiet", "HEAD", "--", ":/", ":(top,exclude)docs").Run() != nil {
		m.Commit += "-dirty"
	}
	return m
}

// Platform is the Go and the system that measure.
func Platform() string {
	return fmt.Sprintf("%s on %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// places are the flags that say where things are, or what is done with the page.
var places = []string{"o", "mended", "tool", "note", "into", "again", "judged", "dir", "recorded"}

// arguments returns the flags that decide what is measured, as one types them.
func arguments() string {
	var b strings.Builder
	flag.Visit(func(f *flag.Flag) {
		value := f.Value.String()
		if is, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && is.IsBoolFlag() {
			value = ""
		} else if value = " " + value; strings.ContainsAny(value[1:], " |()$*") || value == " " {
			value = " " + strconv.Quote(value[1:])
		}
		if !slices.Contains(places, f.Name) {
			b.WriteString(" -" + f.Name + value)
		}
	})
	return b.String()
}

// Head returns the first lines of a page that is measured now, by the program in a
// folder of bench.
func Head(program, file, title, about string) string {
	return head(program, file, title, about, fmt.Sprintf("Measured at commit %v.\n", Now()))
}

func head(program, file, title, about, measured string) string {
	return fmt.Sprintf("# %s\n\nThis page is the output of one command:\n\n    go -C bench run ./%s%s > docs/results/%s\n\n%s\n%s",
		title, program, arguments(), file, measured, about)
}

// String returns the whole page, made by the program in a folder of bench.
func (p *Page) String(program string) string {
	return head(program, p.File, p.Title, p.About, p.measured()) + p.sections()
}

func (p *Page) sections() string {
	var b strings.Builder
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s", s.Title, s.Text)
	}
	return b.String()
}

// measured returns the lines that name commits: the one of most rows, and then each
// other one with its rows.
func (p *Page) measured() string {
	rows := map[Mark][]string{}
	for _, name := range slices.Sorted(maps.Keys(p.Marks)) {
		rows[p.Marks[name]] = append(rows[p.Marks[name]], name)
	}
	marks := slices.SortedFunc(maps.Keys(rows), func(a, b Mark) int {
		return cmp.Or(cmp.Compare(len(rows[b]), len(rows[a])), strings.Compare(a.String(), b.String()))
	})
	if len(marks) == 0 {
		marks = []Mark{Now()}
	}
	return lines(marks[0], marks[1:], rows)
}

func lines(most Mark, others []Mark, rows map[Mark][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured at commit %v.\n", most)
	for _, m := range others {
		fmt.Fprintf(&b, "Measured at commit %v: *%s*.\n", m, strings.Join(rows[m], "*, *"))
	}
	return b.String()
}

var (
	measuredLines = regexp.MustCompile(`(?m)^Measured at commit .*\n(?:Measured at commit .*\n)*`)
	measuredLine  = regexp.MustCompile(`^Measured at commit ([\w-]+)(?:, (.*?))?(?:: \*(.*)\*)?\.$`)
	heading       = regexp.MustCompile(`(?m)^## (.*)\n`)
)

// Into replaces the sections of a page that has been written before, and the names of
// the commits. Sections that are not in p stay, with their commits.
func (p *Page) Into(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page, err := p.stitch(string(text), Mark{Now().Commit, strings.TrimPrefix(Now().Note+", with `"+strings.TrimSpace(arguments())+"`", ", ")})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o666)
}

func (p *Page) stitch(old string, now Mark) (string, error) {
	at := measuredLines.FindStringIndex(old)
	if at == nil {
		return "", fmt.Errorf("no line \"Measured at commit\"; write the whole page first")
	}
	fresh := func(name string) bool {
		_, marked := p.Marks[name]
		return marked || slices.ContainsFunc(p.Sections, func(s Section) bool {
			return s.Title == name || strings.HasPrefix(name, s.Title+" of ") // a part of its rows
		})
	}
	var most Mark
	rows := map[Mark][]string{}
	var others []Mark
	add := func(m Mark, names ...string) {
		if len(names) == 0 || m == most {
			return
		}
		if rows[m] == nil {
			others = append(others, m)
		}
		rows[m] = append(rows[m], names...)
	}
	for i, line := range strings.Split(strings.TrimSpace(old[at[0]:at[1]]), "\n") {
		m := measuredLine.FindStringSubmatch(line)
		if m == nil {
			return "", fmt.Errorf("%q names no commit", line)
		}
		if i == 0 {
			most = Mark{m[1], m[2]}
			continue
		}
		add(Mark{m[1], m[2]}, slices.DeleteFunc(strings.Split(m[3], "*, *"), fresh)...)
	}
	for _, s := range p.Sections {
		if p.Marks == nil {
			add(now, s.Title)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Marks)) {
		add(p.Marks[name], name)
	}
	return old[:at[0]] + lines(most, others, rows) + p.replaced(old[at[1]:]), nil
}

// replaced returns the text below the first lines with the sections of p in the place of
// those with their titles. New ones come last.
func (p *Page) replaced(old string) string {
	whole := Page{}
	heads := heading.FindAllStringSubmatchIndex(old, -1)
	about := old
	for i, h := range heads {
		if i == 0 {
			about = old[:h[0]-1]
		}
		end := len(old)
		if i+1 < len(heads) {
			end = heads[i+1][0] - 1
		}
		whole.Sections = append(whole.Sections, Section{old[h[2]:h[3]], old[h[1]+1 : end]})
	}
	for _, s := range p.Sections {
		if i := slices.IndexFunc(whole.Sections, func(o Section) bool { return o.Title == s.Title }); i >= 0 {
			whole.Sections[i] = s
		} else {
			whole.Sections = append(whole.Sections, s)
		}
	}
	return about + whole.sections()
}
