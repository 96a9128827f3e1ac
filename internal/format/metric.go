package format

import "strings"

// Unit returns the unit that a metric's values are in: "sec/op" for
// "cpu-sec/op", "bytes" for "peak-RSS-bytes". As in golang.org/x/perf/benchunit,
// it is the part after the last dash of the numerator.
func Unit(metric string) string {
	num, per, ok := strings.Cut(metric, "/")
	num = num[strings.LastIndex(num, "-")+1:]
	if ok {
		return num + "/" + per
	}
	return num
}

// Metric writes a figure of a metric: "1.85 ms", "12.4 MiB", "3.1%", "18.2k".
// The columns name the unit that it is per.
func Metric(metric string, v float64) string {
	num, _, _ := strings.Cut(Unit(metric), "/")
	return Value(num, v)
}
