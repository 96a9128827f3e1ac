package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"time"
)

// mostText bounds a heap profile as text, in bytes: each of its stacks takes about a
// KiB there.
const mostText = 64 << 20

// counters fetches the runtime's counters: from /debug/vars or, where a service does
// not import expvar, from the end of its heap profile as text. They are kept in the
// form of /debug/vars.
func (c *collector) counters(ctx context.Context) *answer {
	got, err := c.fetch(ctx, vars, 0)
	if err == nil || !notServed(err) || ctx.Err() != nil {
		return got
	}
	got = &answer{at: time.Now()}
	address, text, err := c.asText(ctx, url.Values{"debug": {"1"}}, mostText)
	if err != nil {
		return nil // get has noted that vars are missing
	}
	if got.data = countersIn(text); got.data == nil {
		return nil
	}
	file := File{Type: vars.name, URL: address, Taken: got.at, Bytes: len(got.data)}
	if c.save(vars, file, func(w io.Writer) error { _, err := w.Write(got.data); return err }) != nil {
		return nil
	}
	return got
}

// asText fetches the heap profile as text, at most so many bytes, and returns its address, too.
func (c *collector) asText(ctx context.Context, query url.Values, most int64) (address string, text []byte, err error) {
	u := c.root.JoinPath(heap.path)
	u.RawQuery = query.Encode()
	text, err = c.get(ctx, u.String(), 0, kind{name: vars.name, most: most})
	return u.String(), text, err
}

// mostSettled bounds the heap profile as text that comes with each exact figure of the
// live heap, in bytes: the service writes all of it.
const mostSettled = 4 << 20

// settle has the service collect its garbage, and returns the bytes of its live heap. It
// returns 0 for a service that does not report them or whose answers are large, and from
// then on. runtime/pprof reads them right after the collection, before it writes the
// samples.
func (c *collector) settle(ctx context.Context) int64 {
	if c.unsettled {
		return 0
	}
	_, text, err := c.asText(ctx, url.Values{"debug": {"1"}, "gc": {"1"}}, mostSettled)
	var m *runtime.MemStats
	if err == nil {
		m = statsIn(text)
	}
	if c.unsettled = m == nil; c.unsettled {
		return 0
	}
	return int64(m.HeapAlloc)
}

// counter matches a line of the counters that runtime/pprof writes below a heap
// profile: "# HeapAlloc = 123", and of Stack, MSpan and MCache "# Stack = 1 / 2".
var counter = regexp.MustCompile(`(?m)^# (\w+) = (\d+)(?: / (\d+))?$`)

// countersIn returns the counters below a heap profile as text in the form of
// /debug/vars, nil where there are none.
func countersIn(text []byte) []byte {
	m := statsIn(text)
	if m == nil {
		return nil
	}
	data, err := json.Marshal(map[string]any{"memstats": m})
	if err != nil {
		return nil
	}
	return data
}

// statsIn returns the counters below a heap profile as text, nil where there are none.
func statsIn(text []byte) *runtime.MemStats {
	_, below, ok := bytes.Cut(text, []byte("\n# runtime.MemStats\n"))
	if !ok {
		return nil
	}
	values := map[string]uint64{}
	for _, m := range counter.FindAllSubmatch(below, -1) {
		name := string(m[1])
		values[name], _ = strconv.ParseUint(string(m[2]), 10, 64)
		if len(m[3]) > 0 {
			values[name+"Sys"], _ = strconv.ParseUint(string(m[3]), 10, 64)
		}
	}
	m := &runtime.MemStats{
		Alloc: values["Alloc"], TotalAlloc: values["TotalAlloc"], Sys: values["Sys"], Mallocs: values["Mallocs"],
		Frees: values["Frees"], HeapAlloc: values["HeapAlloc"], HeapSys: values["HeapSys"],
		HeapIdle: values["HeapIdle"], HeapInuse: values["HeapInuse"], HeapReleased: values["HeapReleased"],
		HeapObjects: values["HeapObjects"], StackInuse: values["Stack"], StackSys: values["StackSys"],
		MSpanInuse: values["MSpan"], MSpanSys: values["MSpanSys"], MCacheInuse: values["MCache"],
		MCacheSys: values["MCacheSys"], BuckHashSys: values["BuckHashSys"], GCSys: values["GCSys"],
		OtherSys: values["OtherSys"], NextGC: values["NextGC"], LastGC: values["LastGC"],
		NumGC: uint32(values["NumGC"]), NumForcedGC: uint32(values["NumForcedGC"]),
	}
	if m.Sys == 0 {
		return nil
	}
	return m
}
