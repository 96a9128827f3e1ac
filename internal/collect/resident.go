package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/resident"
)

// residentGauge is the name that the client libraries of Prometheus give to the
// resident memory of their process.
const residentGauge = "process_resident_memory_bytes"

var errNoResident = errors.New(residentGauge + " is not served there: the resident memory (RSS) is not known")

// Resident is the resident memory of the service at a time.
type Resident struct {
	Taken time.Time `json:"taken"`
	Bytes int64     `json:"bytes"`
	// Go is the part of it that the runtime has and did not give back, at most: pages
	// that it never touched count. 0 is unknown.
	Go int64 `json:"go_bytes,omitempty"`
	// Written is the part of Bytes in mappings of no file. It is known within the window.
	Written int64 `json:"written_bytes,omitempty"`
	// Memory is the same by mappings; nil for a service of another machine, and within the
	// window.
	Memory *resident.Memory `json:"memory,omitempty"`
	// Group is the usage of the memory cgroup that the process is in; nil where it is in
	// none of its own, or not known.
	Group *cgroup.Usage `json:"cgroup,omitempty"`

	pid int // within the window
}

// askResident finds the resident memory, which neither profiles nor /debug/vars
// contain: by the system, if the service runs on this machine, and by /metrics. That page
// is a custom and not Go's, so no answer of it is a failure. Only this figure of it is
// kept.
func (c *collector) askResident(ctx context.Context) *Resident {
	if ctx.Err() != nil {
		return nil
	}
	memory, err := c.local()
	if err == nil {
		r := &Resident{Taken: memory.Taken, Bytes: memory.Bytes, Memory: memory}
		if usage, ok := cgroup.UsageOf(memory.PID); ok {
			r.Group = &usage
		}
		return r
	}
	rss := kind{name: "rss"}
	if !errors.Is(err, errElsewhere) {
		c.miss(rss, false, err)
	}
	address := c.root.JoinPath("/metrics").String()
	answer, err := c.get(ctx, address, 0, rss)
	var held int64
	if err == nil {
		held, err = gauge(answer)
		err = about(address, err)
	} else if notServed(err) {
		err = about(address, errNoResident)
	}
	switch {
	case ctx.Err() != nil: // nothing is wrong with the service
	case err != nil:
		c.miss(rss, false, err)
	default:
		return &Resident{Taken: time.Now(), Bytes: held}
	}
	return nil
}

var errElsewhere = errors.New("the service is not known to run on this machine")

// local reads the memory of a service at a loopback address. It may be in a container
// that forwards its port; then the process that listens is not the service, and its
// program is another.
func (c *collector) local() (*resident.Memory, error) {
	host := c.root.Hostname()
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) || runtime.GOOS != "linux" {
		return nil, errElsewhere
	}
	port, err := strconv.Atoi(c.root.Port())
	if err != nil {
		return nil, errElsewhere
	}
	pid, err := resident.Listening(port)
	if err != nil {
		return nil, err
	}
	return resident.Of(pid)
}

// keepResident notes the resident memory: at the ends of the window with Go's part of
// it, and within the window. Of two processes only the last counts.
func (c *collector) keepResident(at [2]*Resident, vars [2]*runtime.MemStats) {
	if at[0] != nil && at[1] != nil && at[0].Memory != nil && at[1].Memory != nil &&
		at[0].Memory.PID != at[1].Memory.PID {
		at[0] = nil
	}
	for i, r := range at {
		if r == nil {
			continue
		}
		if m := vars[i]; m != nil {
			r.Go = int64(m.Sys - m.HeapReleased)
		}
		c.doc.Resident = append(c.doc.Resident, *r)
		if i > 0 || at[1] == nil || r.Memory == nil {
			continue
		}
		for _, m := range c.meanwhile {
			if m.pid == r.Memory.PID {
				c.doc.Resident = append(c.doc.Resident, m)
			}
		}
	}
	if at[1] != nil {
		c.doc.RSS = &at[1].Bytes
	}
}

// gauge reads the resident memory in an answer in Prometheus' text format. Other lines
// are passed over unread: there may be megabytes of them.
func gauge(answer []byte) (int64, error) {
	var sample []byte
	for line := range bytes.Lines(answer) {
		rest, ok := bytes.CutPrefix(line, []byte(residentGauge))
		if !ok || !bytes.ContainsAny(rest[:min(len(rest), 1)], " \t{") {
			continue
		}
		if sample != nil {
			return 0, errors.New(residentGauge + " is there several times: which process answered is not known")
		}
		sample = line
	}
	if sample == nil {
		return 0, errNoResident
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(sample))
	metrics := families[residentGauge].GetMetric()
	if err != nil || len(metrics) != 1 {
		return 0, fmt.Errorf("%q is not the text format of Prometheus", sample[:min(len(sample), 100)])
	}
	v := metrics[0].GetUntyped().GetValue()
	if !(v >= 1 && v < math.MaxInt64) { // also false for NaN
		return 0, fmt.Errorf("%s is %v", residentGauge, v)
	}
	return int64(v), nil
}
