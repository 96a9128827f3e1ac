package report

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
)

// maxTables is the number of files that a folder holds without trouble for the
// programs that list it.
const maxTables = 4096

// leastFilled is the share of a table's cells that must hold a sample. A table whose
// modes and blocks hardly meet grows with their product, not with the samples.
const leastFilled = 1.0 / 64

// One file for each benchmark and metric, with a column for each mode and a
// row for each block, is the form that plotting tools and R read at once. The index has
// the name of each file's benchmark, which the name of a file cannot always hold. It
// names no file where there would be too many or one would be nearly empty; the
// samples are in results.csv.
func tsvFiles(g *grid) []file {
	type entry struct {
		name   string
		key    sample.Key
		metric string
	}
	var index []entry
	var files []file
	taken := map[string]int{"index": 1}
	for _, key := range g.benchmarks {
		for _, metric := range g.measured {
			modes, blocks, filled := g.table(key, metric)
			if filled == 0 {
				continue
			}
			name := ""
			if len(files) < maxTables && float64(filled) >= leastFilled*float64(len(modes)*len(blocks)) {
				name = unique(fileName(key.String()+"."+metric), taken) + ".tsv"
				files = append(files, file{"tsv/" + name, func(w io.Writer) error { return g.tsv(w, key, metric) }})
			}
			index = append(index, entry{name, key, metric})
		}
	}
	if index == nil {
		return nil
	}
	return append(files, file{"tsv/index.tsv", func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprintln(out, "file\tpackage\tbenchmark\tmetric\tunit")
		for _, e := range index {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", e.name, spreadsheet(e.key.Package),
				spreadsheet(e.key.Benchmark), spreadsheet(e.metric), spreadsheet(format.Unit(e.metric)))
		}
		return out.Flush()
	}})
}

// table returns the modes and the blocks with samples of a benchmark and metric, and
// the number of the samples.
func (g *grid) table(key sample.Key, metric string) (modes []string, blocks []int, filled int) {
	seen := make(map[int]bool)
	for _, mode := range g.timed[key] {
		samples := g.samples[cell{key, mode, metric}]
		if len(samples) == 0 {
			continue
		}
		modes = append(modes, mode)
		filled += len(samples)
		for block := range samples {
			seen[block] = true
		}
	}
	return modes, slices.Sorted(maps.Keys(seen)), filled
}

func (g *grid) tsv(w io.Writer, key sample.Key, metric string) error {
	modes, blocks, _ := g.table(key, metric)
	out := bufio.NewWriter(w)
	out.WriteString("block")
	for _, mode := range modes {
		out.WriteString("\t" + spreadsheet(mode))
	}
	out.WriteByte('\n')
	for _, block := range blocks {
		out.WriteString(strconv.Itoa(block))
		for _, mode := range modes {
			out.WriteByte('\t') // an empty cell is a run that gave no sample
			if v, ok := g.samples[cell{key, mode, metric}][block]; ok {
				out.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// nameLength bounds a file's name, extension included, well below the 255
// bytes of common file systems.
const nameLength = 120

// fileName makes a name that every system accepts: letters, digits and a few
// marks; anything else becomes an underscore.
func fileName(s string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("-=.,", r):
			return r
		}
		return '_'
	}, s)
	if len(name) > nameLength {
		h := fnv.New32a()
		io.WriteString(h, s)
		name = fmt.Sprintf("%s_%08x", name[:nameLength], h.Sum32())
	}
	// A leading dot hides a file, a leading dash is taken for a flag, and some
	// first words name a device on Windows (learn.microsoft.com, "Naming Files").
	device, _, _ := strings.Cut(strings.ToUpper(name), ".")
	if name == "" || name[0] == '.' || name[0] == '-' || slices.Contains(devices, device) {
		return "_" + name
	}
	return name
}

var devices = strings.Fields(
	"CON PRN AUX NUL COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9")

// unique makes a name that is not taken, also where case does not count. It counts
// the uses of a name: thousands of benchmarks may differ only in characters that
// no file name holds.
func unique(name string, taken map[string]int) string {
	candidate, lower := name, strings.ToLower(name)
	for taken[strings.ToLower(candidate)] > 0 {
		taken[lower]++
		candidate = fmt.Sprintf("%s~%d", name, taken[lower])
	}
	taken[strings.ToLower(candidate)]++
	return candidate
}
