package profile

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	gpprof "github.com/google/pprof/profile"
)

// Goroutine dumps are text for people that also holds what programs need: names, files and
// lines. They come from /debug/pprof/goroutine?debug=1 and ?debug=2, and from crashes.
var (
	// "50 @ 0x43 0x65", followed by a line for each frame (runtime/pprof, printCountProfile)
	countedStack = regexp.MustCompile(`^(\d+) @( 0x[0-9a-f]+)*$`)
	// "#\t0x46\tmain.work+0x1d\t/src/main.go:12"; inlined frames lack the offset
	countedFrame = regexp.MustCompile(`^#\t0x[0-9a-f]+\t(\S.*?)(?:\+0x[0-9a-f]+)?\t+(.+):(\d+)$`)
	// "goroutine 7 gp=0x.. [chan receive, 5 minutes]:" (runtime, goroutineheader)
	goroutineLine = regexp.MustCompile(`^goroutine \d+ (?:.*)\[([^\],]*)[^\]]*\]:$`)
	// "\t/src/main.go:12 +0x1d"
	placeLine = regexp.MustCompile(`^\t(.+):(\d+)(?: .*)?$`)
	// "created by main.start in goroutine 7"; up to Go 1.20 without the goroutine
	creatorLine = regexp.MustCompile(`^created by (\S.*?)(?: in goroutine \d+)?$`)
)

// CreatedBy stands for a function in a stack of a goroutine dump. Its caller is the
// function that started the goroutine, which is not on the goroutine's own stack.
const CreatedBy = "created by"

// waitingIn holds functions of the runtime by the state that dumps give instead of them.
var waitingIn = map[string]string{
	"chan send": "runtime.chansend1", "chan receive": "runtime.chanrecv1", "select": "runtime.selectgo",
	"select (no cases)": "runtime.block", "chan receive (nil chan)": "runtime.block",
	"chan send (nil chan)": "runtime.block",
}

// fromDump turns a goroutine dump into profile.proto. It reports false for other text.
func fromDump(text []byte) ([]byte, bool) {
	d := goroutineDump{rows: map[string]*gpprof.Sample{}, functions: map[string]*gpprof.Function{},
		locations: map[frame]*gpprof.Location{}}
	counted := bytes.HasPrefix(text, []byte("goroutine profile: total "))
	for line := range bytes.Lines(text) {
		line := strings.TrimRight(string(line), "\r\n")
		if counted {
			d.counted(line)
		} else {
			d.listed(line)
		}
	}
	d.end()
	if len(d.Sample) == 0 {
		return nil, false
	}
	d.SampleType = []*gpprof.ValueType{{Type: "goroutine", Unit: "count"}}
	d.PeriodType, d.Period = d.SampleType[0], 1
	var b bytes.Buffer
	if err := d.WriteUncompressed(&b); err != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// goroutineDump is the profile that grows while lines are read.
type goroutineDump struct {
	gpprof.Profile
	rows      map[string]*gpprof.Sample // the frames → their sample
	functions map[string]*gpprof.Function
	locations map[frame]*gpprof.Location

	// The goroutines of the block that is being read.
	count int64
	stack []frame
	// function is the name on a line; the next line has its place.
	function string
}

type frame struct {
	function, file string
	line           int64
}

// counted reads a line of ?debug=1.
func (d *goroutineDump) counted(line string) {
	if m := countedStack.FindStringSubmatch(line); m != nil {
		d.end()
		d.count, _ = strconv.ParseInt(m[1], 10, 64)
	} else if m := countedFrame.FindStringSubmatch(line); m != nil {
		d.add(m[1], m[2], m[3])
	}
}

// listed reads a line of ?debug=2.
func (d *goroutineDump) listed(line string) {
	if m := goroutineLine.FindStringSubmatch(line); m != nil {
		d.end()
		d.count = 1
		// Such dumps leave the runtime's own frames out.
		switch m[1] {
		case "running", "runnable", "syscall":
		default:
			d.add("runtime.gopark", "runtime/proc.go", "0")
		}
		if waits := waitingIn[m[1]]; waits != "" {
			d.add(waits, "runtime/proc.go", "0")
		}
	} else if m := placeLine.FindStringSubmatch(line); m != nil {
		if d.function != "" {
			d.add(d.function, m[1], m[2])
		}
		d.function = ""
	} else if name, isCall := callOf(line); isCall {
		d.function = name
	} else if m := creatorLine.FindStringSubmatch(line); m != nil {
		d.add(CreatedBy, "", "0")
		d.function = m[1]
	} else {
		d.function = "" // a note that frames are left out
	}
}

// callOf returns the function of a line such as "main.(*T).work(0x1, {0x2, 0x3})".
func callOf(line string) (string, bool) {
	at := strings.LastIndexByte(line, '(')
	if at <= 0 || !strings.HasSuffix(line, ")") || strings.HasPrefix(line, "created by ") {
		return "", false
	}
	return line[:at], true
}

func (d *goroutineDump) add(function, file, line string) {
	n, err := strconv.ParseInt(line, 10, 32)
	if d.count > 0 && err == nil {
		d.stack = append(d.stack, frame{function, file, n})
	}
}

// end adds the goroutines of a block to the row with the same frames.
func (d *goroutineDump) end() {
	if d.count > 0 && len(d.stack) > 0 {
		key := fmt.Sprint(d.stack)
		row := d.rows[key]
		if row == nil {
			row = &gpprof.Sample{Value: []int64{0}}
			for _, f := range d.stack {
				row.Location = append(row.Location, d.location(f))
			}
			d.rows[key] = row
			d.Sample = append(d.Sample, row)
		}
		row.Value[0] += d.count
	}
	d.count, d.stack, d.function = 0, d.stack[:0], ""
}

func (d *goroutineDump) location(f frame) *gpprof.Location {
	if at := d.locations[f]; at != nil {
		return at
	}
	fn := d.functions[f.function+"\n"+f.file]
	if fn == nil {
		fn = &gpprof.Function{ID: uint64(len(d.Function) + 1), Name: f.function,
			SystemName: f.function, Filename: f.file}
		d.functions[f.function+"\n"+f.file] = fn
		d.Function = append(d.Function, fn)
	}
	at := &gpprof.Location{ID: uint64(len(d.Location) + 1), Line: []gpprof.Line{{Function: fn, Line: f.line}}}
	d.locations[f] = at
	d.Location = append(d.Location, at)
	return at
}
