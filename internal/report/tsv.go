package report

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/sample"
)

// One file for each benchmark and metric, with a column for each mode and a
// row for each block, is the form that plotting tools and R read at once. The index
// tells which file is whose, since a file's name cannot hold every benchmark's.
func tsvFiles(g *grid) []file {
	type entry struct {
		name   string
		key    sample.Key
		metric string
	}
	var index []entry
	var files []file
	taken := map[string]bool{"index": true}
	for _, key := range g.benchmarks {
		for _, metric := range g.measured {
			if !g.hasSamples(key, metric) {
				continue
			}
			name := unique(fileName(key.String()+"."+metric), taken) + ".tsv"
			index = append(index, entry{name, key, metric})
			files = append(files, file{"tsv/" + name, func(w io.Writer) error { return g.tsv(w, key, metric) }})
		}
	}
	if files == nil {
		return nil
	}
	return append(files, file{"tsv/index.tsv", func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprintln(out, "file\tpackage\tbenchmark\tmetric\tunit")
		for _, e := range index {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", e.name, spreadsheet(e.key.Package),
				spreadsheet(e.key.Benchmark), spreadsheet(e.metric), spreadsheet(unit(e.metric)))
		}
		return out.Flush()
	}})
}

func (g *grid) hasSamples(key sample.Key, metric string) bool {
	for _, mode := range g.series {
		if len(g.samples[cell{key, mode, metric}]) > 0 {
			return true
		}
	}
	return false
}

func (g *grid) tsv(w io.Writer, key sample.Key, metric string) error {
	out := bufio.NewWriter(w)
	out.WriteString("block")
	for _, mode := range g.series {
		out.WriteString("\t" + spreadsheet(mode))
	}
	out.WriteByte('\n')
	for _, block := range g.blocks {
		out.WriteString(strconv.Itoa(block))
		for _, mode := range g.series {
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

var devices = strings.Fields("CON PRN AUX NUL COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9")

// unique makes a name that is not taken, also where case does not count.
func unique(name string, taken map[string]bool) string {
	candidate := name
	for n := 2; taken[strings.ToLower(candidate)]; n++ {
		candidate = fmt.Sprintf("%s~%d", name, n)
	}
	taken[strings.ToLower(candidate)] = true
	return candidate
}
