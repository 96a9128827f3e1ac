package format

import "math"

// asFactor is the ratio from which on a change is written as a factor: "×10" is
// easier to grasp than "+900%".
const asFactor = 9.995

// Change writes a ratio to the baseline as a change: "-31.2%", "+0.4%",
// "0%", "×12.5". A change from nothing to something has no ratio: "from 0".
func Change(ratio float64) string {
	switch {
	case math.IsNaN(ratio):
		return Unknown
	case unknown(ratio):
		return "from 0"
	case ratio >= asFactor:
		return factor(ratio)
	}
	return change(ratio)
}

// ChangeWithin writes a change that stands beside its interval. No change at all
// reads as "0%" only where the interval says so too, else as "±0.0%".
func ChangeWithin(ratio, low, high float64) string {
	s := Change(ratio)
	if s == "0%" && !(change(low) == "0%" && change(high) == "0%") {
		return "±0.0%"
	}
	return s
}

// Interval writes the interval of a ratio as changes, "[-34.1%, -28.0%]", or as
// factors where its upper end is one: "[×8, ×12.5]".
func Interval(low, high float64) string {
	switch {
	case math.IsNaN(low) || math.IsNaN(high) || low <= 0 && unknown(high):
		return "not known"
	case high < asFactor:
		return "[" + change(low) + ", " + change(high) + "]"
	}
	return "[" + factor(low) + ", " + factor(high) + "]"
}

// change writes a ratio as a percentage with its sign.
func change(ratio float64) string {
	p := 100 * (ratio - 1)
	if p < least {
		return percent(p)
	}
	return "+" + percent(p)
}

func factor(ratio float64) string {
	if unknown(ratio) {
		return "∞"
	}
	return "×" + Digits(ratio)
}
