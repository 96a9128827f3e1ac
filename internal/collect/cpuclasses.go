package collect

import "encoding/json"

// cpuClasses are the CPU seconds that runtime/metrics counts since the start.
type cpuClasses struct {
	Collection float64 `json:"/cpu/classes/gc/total:cpu-seconds"`
	IdleMark   float64 `json:"/cpu/classes/gc/mark/idle:cpu-seconds"`
	Idle       float64 `json:"/cpu/classes/idle:cpu-seconds"`
	Total      float64 `json:"/cpu/classes/total:cpu-seconds"`
}

// publishedClasses finds the classes among published variables: as variables of
// their own, or in an object that holds runtime/metrics by name.
func publishedClasses(vars []byte) (c cpuClasses, ok bool) {
	if json.Unmarshal(vars, &c) == nil && c.Total > 0 {
		return c, true
	}
	all, err := parseVars(vars)
	if err != nil {
		return c, false
	}
	for _, v := range all {
		if json.Unmarshal(v, &c) == nil && c.Total > 0 {
			return c, true
		}
	}
	return c, false
}

// collectorShare returns the collector's share of the CPU time that the process
// used between two answers of /debug/vars, nil where they do not have it.
func collectorShare(first, last []byte) *float64 {
	a, known := publishedClasses(first)
	b, still := publishedClasses(last)
	used := (b.Total - b.Idle) - (a.Total - a.Idle)
	spent := (b.Collection - b.IdleMark) - (a.Collection - a.IdleMark)
	if !known || !still || used <= 0 || spent < 0 || spent > used {
		return nil // or of another process
	}
	share := spent / used
	return &share
}
