package sample

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// blockComment marks in which block the lines after it were measured. It is a
// comment and not a configuration line, because benchstat would make a table
// of its own of every value that a configuration key has.
const blockComment = "# block "

// A Writer appends runs to a results file in the Go benchmark format. It is
// not for concurrent use.
type Writer struct {
	w     io.Writer
	out   bytes.Buffer
	bench *benchfmt.Writer
	block int
	units map[string]bool
	conf  []benchfmt.Config
}

// NewWriter returns a Writer that appends to w. The environment is written as
// configuration lines before the first run: goos, goarch, cpu.
func NewWriter(w io.Writer, environment [][2]string) *Writer {
	sw := &Writer{w: w, units: map[string]bool{}}
	sw.bench = benchfmt.NewWriter(&sw.out)
	for _, kv := range environment {
		sw.conf = append(sw.conf, config(kv[0], kv[1]))
	}
	return sw
}

func config(key, value string) benchfmt.Config {
	return benchfmt.Config{Key: key, Value: []byte(value), File: true}
}

// Write appends one run, whole or not at all as far as the system allows: it
// makes a single call of the underlying Write.
func (w *Writer) Write(r Run) error {
	defer w.out.Reset()
	names := order(r.Values)
	for _, n := range names {
		if !w.units[n] {
			w.units[n] = true
			if better := unitBetter(Lookup(n).Better); better != "" {
				fmt.Fprintf(&w.out, "Unit %s better=%s\n", n, better)
			}
		}
	}
	if r.Block != w.block {
		w.block = r.Block
		fmt.Fprintf(&w.out, "%s%d\n", blockComment, r.Block)
	}
	res := &benchfmt.Result{
		Config: append(slices.Clip(w.conf), config("mode", r.Mode)),
		Name:   benchfmt.Name(r.Benchmark),
		Iters:  r.Iterations,
	}
	if r.Package != "" {
		res.Config = append(res.Config, config("pkg", r.Package))
	}
	for _, n := range names {
		res.Values = append(res.Values, benchfmt.Value{Value: r.Values[n], Unit: n})
	}
	if err := w.bench.Write(res); err != nil {
		return err
	}
	_, err := w.w.Write(w.out.Bytes())
	return err
}

func unitBetter(d Direction) string {
	switch d {
	case Lower:
		return "lower"
	case Higher:
		return "higher"
	}
	return ""
}

// order returns the names of the values, known metrics first.
func order(values map[string]float64) []string {
	rank := func(name string) int {
		return slices.IndexFunc(metrics, func(m Metric) bool { return m.Name == name })
	}
	names := make([]string, 0, len(values))
	for n := range values {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		ra, rb := uint(rank(a)), uint(rank(b)) // unknown is -1: last
		switch {
		case ra < rb:
			return -1
		case ra > rb:
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}

// Read reads a results file that Writer wrote. Where a run of the same
// benchmark, mode and block stands twice, the later one holds: a block that
// was cut short is measured again.
//
// A last line without its newline was torn by a crash while it was written;
// it is left out and torn is true. Any other damage is an error that names
// file and line.
func Read(r io.Reader, name string) (runs []Run, torn bool, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, false, fmt.Errorf("reading %s: %w", name, err)
	}
	if i := bytes.LastIndexByte(data, '\n'); i+1 < len(data) {
		data, torn = data[:i+1], true
	}
	blocks, err := blockLines(data, name)
	if err != nil {
		return nil, torn, err
	}
	type id struct {
		Key
		mode  string
		block int
	}
	at := map[id]int{}
	in := benchfmt.NewReader(bytes.NewReader(data), name)
	for in.Scan() {
		var res *benchfmt.Result
		switch rec := in.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, torn, rec
		case *benchfmt.Result:
			res = rec
		default:
			continue
		}
		_, line := res.Pos()
		run, err := fromResult(res, blocks(line))
		if err != nil {
			return nil, torn, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		k := id{run.Key, run.Mode, run.Block}
		if i, ok := at[k]; ok {
			runs[i] = run
			continue
		}
		at[k] = len(runs)
		runs = append(runs, run)
	}
	return runs, torn, in.Err()
}

func fromResult(res *benchfmt.Result, block int) (Run, error) {
	run := Run{
		Key:        Key{Package: res.GetConfig("pkg"), Benchmark: string(res.Name)},
		Mode:       res.GetConfig("mode"),
		Block:      block,
		Iterations: res.Iters,
		Values:     make(map[string]float64, len(res.Values)),
	}
	switch {
	case run.Mode == "":
		return run, errors.New("a result without a mode")
	case run.Block < 1:
		return run, errors.New("a result before the first block")
	}
	for _, v := range res.Values {
		run.Values[v.Unit] = v.Value
	}
	return run, run.Check()
}

// blockLines returns a function from a line number to the block that the line
// belongs to, 0 before the first.
func blockLines(data []byte, name string) (func(line int) int, error) {
	var starts, blocks []int
	sc := bufio.NewScanner(bytes.NewReader(data))
	for line := 1; sc.Scan(); line++ {
		rest, ok := strings.CutPrefix(sc.Text(), blockComment)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s:%d: bad block number %q", name, line, rest)
		}
		starts, blocks = append(starts, line), append(blocks, n)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return func(line int) int {
		i, found := slices.BinarySearch(starts, line)
		if !found {
			i--
		}
		if i < 0 {
			return 0
		}
		return blocks[i]
	}, nil
}
