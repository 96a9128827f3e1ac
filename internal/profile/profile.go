// Package profile holds pprof profiles in columns over shared dictionaries:
// decode, merge, group, diff, encode.
//
// A service's profiles repeat each other: the same strings, functions and call
// paths occur in all of them. Any number of profiles share a Dict, which holds each
// of these once. A sample is a row of values, with the numbers of its stack and its
// label set. So the distinct stacks and labels bound the memory of a run, not the
// number of profiles.
//
// Encoding a decoded file loses nothing that github.com/google/pprof/profile keeps.
// The same protobufs are accepted, except those with a field number that protobuf
// does not allow; a fuzz target compares the two packages. zstd is accepted in
// addition, and so are goroutine dumps (?debug=1 and ?debug=2), which people have from
// crashes and tickets. Other text formats are refused: today's Go programs write them only
// for people.
package profile

// ValueType names the quantity in a column of values.
type ValueType struct {
	Type string // "alloc_space", "cpu", "delay"
	Unit string // "bytes", "nanoseconds", "count"
}

// Profile is one profile, or several merged: a header and samples in columns.
// The columns and the dictionary are meant to be read directly and must not be
// changed. A profile may be read from many goroutines as long as none decodes
// into its Dict.
type Profile struct {
	Name string // a file or a URL, for messages
	Dict *Dict  // StackID, LabelsID and MappingID refer to it

	SampleTypes       []ValueType
	DefaultSampleType string // "" where the file has none
	PeriodType        ValueType
	Period            int64 // mean distance of two samples, in PeriodType.Unit
	TimeNanos         int64 // when it was taken, since 1970 UTC; 0 is unknown
	DurationNanos     int64 // how long it was recorded; 0 for a snapshot
	Comments          []string
	DocURL            string
	DropFrames        string      // regular expressions of function names that pprof
	KeepFrames        string      // leaves out of its reports, and the exception from that
	Mappings          []MappingID // the main binary comes first

	// One entry per sample.
	Stacks []StackID
	Labels []LabelsID
	Values [][]int64 // one column per sample type

	file *symbols // the file's own symbol tables; nil means those that the samples refer to
}

// Len returns the number of samples.
func (p *Profile) Len() int { return len(p.Stacks) }

// Column returns the index of a sample type in SampleTypes and Values. Look
// columns up by name: profiles of one kind do not always have them in one order.
func (p *Profile) Column(sampleType string) (int, bool) {
	for i, t := range p.SampleTypes {
		if t.Type == sampleType {
			return i, true
		}
	}
	return 0, false
}

// DefaultColumn returns the column that pprof shows unasked: the file's
// DefaultSampleType, otherwise the last one; -1 where there is none.
func (p *Profile) DefaultColumn() int {
	if i, ok := p.Column(p.DefaultSampleType); ok {
		return i
	}
	return len(p.SampleTypes) - 1
}

// Total returns the sum of a column, in its unit.
func (p *Profile) Total(column int) int64 {
	var sum int64
	for _, v := range p.Values[column] {
		sum += v
	}
	return sum
}
