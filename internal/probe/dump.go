package probe

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/mode"
)

// Dump is the last record of the injected probe: runtime/metrics and the
// surroundings of the run. The CPU classes in it are as of the last
// collection; the runtime does not count them between.
type Dump struct {
	// Final says that it was written at the very end. Otherwise up to 20 ms
	// before the end are missing, and the collections in them.
	Final bool

	GoVersion string            // runtime.Version
	Env       map[string]string // GO* and those that HEAPWRIGHT_PROBE_ENV named

	CPU     float64 // process CPU seconds when it was written; 0 where unknown
	CPUAtGC float64 // the same after the last collection
	PeakRSS int64   // bytes, VmHWM; 0 where unknown

	// Uints and Floats have the metrics by their names in runtime/metrics.
	Uints  map[string]uint64
	Floats map[string]float64
	Pauses []Bucket // stop-the-world pauses of the collector

	Live, Goal []int64 // bytes, after each of up to 512 last collections, in no order

	Tuner       string           // state of the added gctune; "" if there is none
	TunerKeeps  map[string]int64 // bytes: "floor", "ceiling" and "limit" of gctune.Snapshot
	BallastSize int64            // bytes of the added ballast

	// Spans are the collections in a part of a run; see Since.
	Spans []Span
}

// Bucket is a part of a histogram.
type Bucket struct {
	Low, High float64 // seconds; the first Low and the last High may be infinite
	Count     uint64
}

// ReadDump reads the file that HEAPWRIGHT_PROBE named for a run that has
// ended.
func ReadDump(file string) (Dump, error) {
	content, err := input.ReadRegular(file, 2*slotSize)
	if err != nil {
		return Dump{}, fmt.Errorf(
			"probe's dump: %w; the target ended before its main package began, or was built without the probe", err)
	}
	d, err := parseDump(content)
	if err != nil {
		return Dump{}, fmt.Errorf("probe's dump %s: %w", file, err)
	}
	return d, nil
}

// slotSize is the same in the injected probe.
const slotSize = 64 << 10

func parseDump(content []byte) (Dump, error) {
	var newest uint64
	var text []byte
	for at := 0; at < len(content) && at <= slotSize; at += slotSize {
		if number, t, ok := parseSlot(content[at:min(at+slotSize, len(content))]); ok && number > newest {
			newest, text = number, t
		}
	}
	if text == nil {
		return Dump{}, errors.New("no complete write in it; the target was killed as it started, or the disk is full")
	}
	return parseText(text)
}

// parseSlot returns the text of a slot, if it was written to its end.
func parseSlot(slot []byte) (number uint64, text []byte, ok bool) {
	header, rest, _ := bytes.Cut(slot, []byte("\n"))
	var size int
	var sum uint64
	n, err := fmt.Sscanf(string(header), "heapwright-probe 1 %d %d %x", &number, &size, &sum)
	if err != nil || n != 3 || size < 0 || size > len(rest) {
		return 0, nil, false
	}
	hash := fnv.New64a()
	hash.Write(rest[:size])
	return number, rest[:size], hash.Sum64() == sum
}

func parseText(text []byte) (Dump, error) {
	d := Dump{Env: map[string]string{}, TunerKeeps: map[string]int64{}, Uints: map[string]uint64{},
		Floats: map[string]float64{}}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		key, value, _ := strings.Cut(line, " ")
		if read, ok := dumpLines[key]; ok {
			if err := read(&d, value); err != nil {
				return Dump{}, fmt.Errorf("line %q: %w", line, err)
			}
		} else if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(kb, "kB")), 10, 53)
			if err != nil {
				return Dump{}, fmt.Errorf("line %q: %w", line, err)
			}
			d.PeakRSS = n << 10
		}
	}
	return d, nil
}

var dumpLines = map[string]func(d *Dump, value string) error{
	"final": func(d *Dump, _ string) error { d.Final = true; return nil },
	"go":    func(d *Dump, value string) error { d.GoVersion = value; return nil },
	"env": func(d *Dump, value string) error {
		variable, err := strconv.Unquote(value)
		key, v, _ := strings.Cut(variable, "=")
		d.Env[key] = v
		return err
	},
	"cpu":       func(d *Dump, value string) error { return parseFloat(value, &d.CPU) },
	"cpu-at-gc": func(d *Dump, value string) error { return parseFloat(value, &d.CPUAtGC) },
	"uint": func(d *Dump, value string) error {
		name, v, _ := strings.Cut(value, " ")
		n, err := strconv.ParseUint(v, 10, 64)
		d.Uints[name] = n
		return err
	},
	"float": func(d *Dump, value string) error {
		name, v, _ := strings.Cut(value, " ")
		var f float64
		err := parseFloat(v, &f)
		d.Floats[name] = f
		return err
	},
	"histogram": func(d *Dump, value string) error {
		name, v, _ := strings.Cut(value, " ")
		buckets, err := parseBuckets(v)
		// Go 1.22 gave the pauses a new name and kept the old one.
		if d.Pauses == nil || name == "/sched/pauses/total/gc:seconds" {
			d.Pauses = buckets
		}
		return err
	},
	"live": func(d *Dump, value string) error { return parseInts(value, &d.Live) },
	"goal": func(d *Dump, value string) error { return parseInts(value, &d.Goal) },

	"tuner":         func(d *Dump, value string) error { d.Tuner = value; return nil },
	"tuner-floor":   tunerKeeps("floor"),
	"tuner-ceiling": tunerKeeps("ceiling"),
	"tuner-limit":   tunerKeeps("limit"),
	"ballast": func(d *Dump, value string) (err error) {
		d.BallastSize, err = strconv.ParseInt(value, 10, 64)
		return err
	},
}

func tunerKeeps(what string) func(*Dump, string) error {
	return func(d *Dump, value string) (err error) {
		d.TunerKeeps[what], err = strconv.ParseInt(value, 10, 64)
		return err
	}
}

func parseFloat(text string, to *float64) (err error) {
	if *to, err = strconv.ParseFloat(text, 64); err == nil && (math.IsNaN(*to) || *to < 0) {
		err = errors.New("no amount")
	}
	return err
}

func parseInts(text string, to *[]int64) error {
	for f := range strings.FieldsSeq(text) {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return err
		}
		*to = append(*to, n)
	}
	return nil
}

func parseBuckets(text string) ([]Bucket, error) {
	buckets := []Bucket{}
	for f := range strings.FieldsSeq(text) {
		part := strings.Split(f, ":")
		if len(part) != 3 {
			return nil, errors.New("a bucket has two bounds and a count")
		}
		low, err1 := strconv.ParseFloat(part[0], 64)
		high, err2 := strconv.ParseFloat(part[1], 64)
		count, err3 := strconv.ParseUint(part[2], 10, 32)
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		if !(low < high) || len(buckets) > 0 && low < buckets[len(buckets)-1].High {
			return nil, errors.New("the buckets do not ascend")
		}
		buckets = append(buckets, Bucket{low, high, count})
	}
	return buckets, nil
}

// Pause returns an upper bound of the q-quantile of the pauses, in seconds:
// the upper end of its bucket, which is at most a quarter above the lower
// (timeHistogram in runtime/histogram.go). It is false if there was no pause.
func (d Dump) Pause(q float64) (float64, bool) {
	var total, seen uint64
	for _, b := range d.Pauses {
		total += b.Count
	}
	for _, b := range d.Pauses {
		if seen += b.Count; seen > 0 && float64(seen) >= q*float64(total) {
			if math.IsInf(b.High, 1) {
				return b.Low, true
			}
			return b.High, true
		}
	}
	return 0, false
}

// Identify adds the run's report of itself to a binary's identity.
func (d Dump) Identify(id mode.Identity) mode.Identity {
	id.Reported = true
	if id.GoVersion == "" {
		id.GoVersion, id.Experiments = mode.SplitVersion(d.GoVersion)
	}
	id.GOGC = int64(d.Uints["/gc/gogc:percent"]) // off is -1 there too, in two's complement
	id.MemoryLimit = int64(min(d.Uints["/gc/gomemlimit:bytes"], math.MaxInt64))
	id.Env = d.Env
	id.Tuner, id.Ballast = d.Tuner, d.BallastSize
	id.HeapFloor, id.HeapCeiling, id.TunedLimit = d.TunerKeeps["floor"], d.TunerKeeps["ceiling"], d.TunerKeeps["limit"]
	return id
}

// CPUShares returns the shares of the process's CPU time that the collector took:
// gc is all of its work except idle marking, assist the part that allocating
// goroutines did.
//
// Idle marking is left out because it uses processors that nobody wanted at
// that moment; /cpu/classes/gc/mark/idle advises so. It stands in the
// denominator, as CPU time that the process did take: user, collector and
// scavenger, not the idle time that /cpu/classes/total contains.
//
// As the classes end with the last collection, the shares are those up to
// there, thinned by the CPU time that the process took afterwards. (Of a part
// of a run they begin with the last collection before it, and the time before the part
// is taken off in the same way.)
func (d Dump) CPUShares() (gc, assist float64) {
	const class = "/cpu/classes/"
	total := d.Floats[class+"gc/total:cpu-seconds"]
	busy := total + d.Floats[class+"user:cpu-seconds"] + d.Floats[class+"scavenge/total:cpu-seconds"]
	if busy == 0 {
		return 0, 0 // no collection
	}
	if d.CPUAtGC > 0 && d.CPU > 0 {
		busy *= d.CPU / d.CPUAtGC
	}
	idle := d.Floats[class+"gc/mark/idle:cpu-seconds"]
	return max(total-idle, 0) / busy, d.Floats[class+"gc/mark/assist:cpu-seconds"] / busy
}

// CollectorCPU returns the CPU seconds that collections took so far, idle marking included,
// as of the last one, and how many processors the program may use; 0 of these
// where the Go version does not report them.
func (d Dump) CollectorCPU() (seconds float64, procs int) {
	return d.Floats["/cpu/classes/gc/total:cpu-seconds"], int(d.Uints["/sched/gomaxprocs:threads"])
}

// Cycles returns the number of collections; forced ones only if asked for.
func (d Dump) Cycles(forced bool) int {
	if forced {
		return int(d.Uints["/gc/cycles/total:gc-cycles"])
	}
	return int(d.Uints["/gc/cycles/automatic:gc-cycles"])
}

// median returns the median by nearest rank.
func median(values []int64) (float64, bool) {
	v, ok := rank(slices.Clone(values), 0.5)
	return float64(v), ok
}
