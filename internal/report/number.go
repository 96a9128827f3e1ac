package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/verdict"
)

// unit returns the unit that a metric's values are in: "sec/op" for
// "cpu-sec/op", "bytes" for "peak-RSS-bytes". As in golang.org/x/perf/benchunit,
// it is what follows the last dash of the numerator.
func unit(metric string) string {
	num, per, ok := strings.Cut(metric, "/")
	num = num[strings.LastIndex(num, "-")+1:]
	if ok {
		return num + "/" + per
	}
	return num
}

// value formats a figure of a metric with three digits and a prefix: "1.85 ms",
// "12.4 MiB", "3.10 %", "18.2k". What the figure is per goes without saying.
func value(metric string, v float64) string {
	num, _, _ := strings.Cut(unit(metric), "/")
	switch {
	case math.IsNaN(v):
		return "–"
	case math.Abs(v) >= result.Infinite:
		return "∞"
	}
	switch num {
	case "sec":
		return scaled(v, 1000, -3, " ", "s")
	case "ns":
		return scaled(v*1e-9, 1000, -3, " ", "s")
	case "B", "bytes":
		return scaled(v, 1024, 0, " ", "B")
	case "fraction":
		return digits(100*v) + " %"
	}
	return scaled(v, 1000, 0, "", "")
}

// scaled writes v with the prefix that leaves at least one digit before the
// point; low is the smallest power of the base that has a prefix here.
func scaled(v, base float64, low int, space, suffix string) string {
	if v == 0 {
		return "0" + space + suffix
	}
	n := 0
	for n > low && math.Abs(v) < 1 {
		v, n = v*base, n-1
	}
	// 999.7 would be rounded to 1000, which the next prefix writes shorter.
	for n < 4 && math.Abs(v) >= base-0.5 {
		v, n = v/base, n+1
	}
	prefix := []string{"n", "µ", "m", "", "k", "M", "G", "T"}[n+3]
	if suffix == "s" && n > 0 { // nobody says kiloseconds
		v, prefix = v*math.Pow(base, float64(n)), ""
	}
	if base == 1024 && n > 0 {
		prefix = strings.ToUpper(prefix) + "i"
	}
	return digits(v) + space + prefix + suffix
}

// digits writes three significant digits, or all those before the point. A
// whole number below 1000 stays one.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e6: // beyond all prefixes
		return minus(strconv.FormatFloat(v, 'g', 3, 64))
	case a == math.Trunc(a) && a < 1000:
		return minus(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 99.95:
		return minus(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 9.995:
		return minus(strconv.FormatFloat(v, 'f', 1, 64))
	case a >= 0.01:
		return minus(strconv.FormatFloat(v, 'f', 2, 64))
	}
	return minus(strconv.FormatFloat(v, 'g', 2, 64))
}

// Change formats a ratio as a signed change: "−31.2 %".
func Change(ratio float64) string { return change(ratio) }

// Interval formats the interval of a ratio as changes: "[−34.1, −28.0] %".
func Interval(low, high float64) string { return interval(verdict.Effect{Low: low, High: high}) }

// Value formats a figure of a metric with three digits and a prefix.
func Value(metric string, v float64) string { return value(metric, v) }

// change formats a ratio as a signed change: "−31.2 %", "+0.4 %", "×12.5".
func change(ratio float64) string {
	if s, ok := unusual(ratio); ok {
		return s
	}
	return percent(ratio) + " %"
}

// interval formats an effect's interval as changes: "[−34.1, −28.0] %", or as
// factors where its end is far off: "[×8.00, ×12.5]".
func interval(e verdict.Effect) string {
	if e.Low <= 0 && e.High >= result.Infinite {
		return "not known"
	}
	if e.High < factors {
		return "[" + percent(e.Low) + ", " + percent(e.High) + "] %"
	}
	return "[" + factor(e.Low) + ", " + factor(e.High) + "]"
}

// factors is the ratio from which on a change is written as a factor: "+900 %"
// is harder to grasp than "×10".
const factors = 9.995

func factor(ratio float64) string {
	if ratio >= result.Infinite {
		return "∞"
	}
	return "×" + digits(ratio)
}

// unusual formats the ratios that a percentage does not suit.
func unusual(ratio float64) (string, bool) {
	switch {
	case math.IsNaN(ratio):
		return "–", true
	case ratio >= result.Infinite:
		return "from 0", true
	case ratio >= factors:
		return factor(ratio), true
	}
	return "", false
}

// percent writes a tenth of a percent below 100 % and whole percents above.
func percent(ratio float64) string {
	p := (ratio - 1) * 100
	format := "%+.1f"
	if math.Abs(p) >= 99.95 {
		format = "%+.0f"
	}
	s := fmt.Sprintf(format, p)
	if strings.Trim(s, "+-0.") == "" {
		return "0"
	}
	return minus(s)
}

// whole formats a ratio in whole percents, for sentences: "−31 %", "+0.4 %".
func whole(ratio float64) string {
	if s, ok := unusual(ratio); ok {
		return s
	}
	if p := math.Abs(ratio-1) * 100; p < 9.95 {
		return change(ratio)
	}
	return minus(fmt.Sprintf("%+.0f %%", (ratio-1)*100))
}

// minus sets the sign that is as wide as a plus.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// pValue formats a p-value; below a ten-thousandth only that it is.
func pValue(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}
