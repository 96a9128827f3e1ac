package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
)

// dictionary holds the rows that the profiles of a service have on one day: each a
// stack with its labels. Rows are counted from 0 in the order of arrival, which their
// parts in the file keep. It only grows.
type dictionary struct {
	decoder  *profile.Decoder
	dict     *profile.Dict
	numbers  map[row]uint32
	rows     []row
	places   map[profile.MappingID]uint32
	mappings []profile.MappingID
	kept     counts         // the rows and mappings that are in the file
	parts    *profile.Parts // writes the next part of the file
	bytes    int64          // about how much memory it holds
	used     int64          // bytes after the last profile that was decoded
	full     int64          // the memory from which on another is begun
	limit    int64          // the memory that it may hold with one profile more
}

type counts struct{ rows, mappings int }

type row struct {
	stack  profile.StackID
	labels profile.LabelsID
}

// newDictionary returns a dictionary for profiles of up to so many bytes. It is full with
// three quarters of that, 48 MiB by default; a service with some 30,000 stacks needs 10 MB.
// A decoder takes three eighths of its limit for a profile and the dictionary. It has more
// here, so that the parts in a file can be read when they are as large as they may be.
func newDictionary(maxBytes int64) *dictionary {
	d := &dictionary{dict: new(profile.Dict), numbers: map[row]uint32{}, parts: profile.NewParts(),
		places: map[profile.MappingID]uint32{}, full: maxBytes / 4 * 3, limit: maxBytes / 4 * 5}
	d.decoder = profile.NewDecoder(profile.Options{Dict: d.dict, Rebase: true, MaxBytes: d.limit * 4})
	return d
}

// decode reads a profile into the dictionary.
func (d *dictionary) decode(name string, data []byte) (*profile.Profile, error) {
	p, err := d.decoder.DecodeBytes(name, data)
	if err != nil {
		d.bytes = (&profile.Profile{Dict: d.dict}).Memory()
		return nil, err
	}
	d.bytes = p.Memory()
	d.used = d.bytes
	return p, nil
}

// spoiled reports whether profiles that failed have left much in the dictionary.
func (d *dictionary) spoiled() bool { return d.bytes > d.used+1<<20 || d.bytes > d.limit }

// number returns the number of a row, a new one if it has none.
func (d *dictionary) number(r row) uint32 {
	n, ok := d.numbers[r]
	if !ok {
		n = uint32(len(d.rows))
		d.numbers[r] = n
		d.rows = append(d.rows, r)
	}
	return n
}

func (d *dictionary) mapping(m profile.MappingID) uint32 {
	i, ok := d.places[m]
	if !ok {
		i = uint32(len(d.mappings))
		d.places[m] = i
		d.mappings = append(d.mappings, m)
	}
	return i
}

// frame returns a profile as rows of the dictionary. Samples of one row are added up.
func (d *dictionary) frame(p *profile.Profile) *frame {
	f := &frame{header: headerOf(p)}
	for _, m := range p.Mappings {
		f.mappings = append(f.mappings, d.mapping(m))
	}
	type sample struct {
		number uint32
		at     int
	}
	samples := make([]sample, p.Len())
	for i, stack := range p.Stacks {
		samples[i] = sample{d.number(row{stack, p.Labels[i]}), i}
	}
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.number, b.number) })
	f.values = make([][]int64, len(p.Values))
	for _, s := range samples {
		again := len(f.rows) > 0 && f.rows[len(f.rows)-1] == s.number
		if !again {
			f.rows = append(f.rows, s.number)
		}
		for t, column := range p.Values {
			if again {
				f.values[t][len(f.rows)-1] += column[s.at]
			} else {
				f.values[t] = append(f.values[t], column[s.at])
			}
		}
	}
	return f
}

// headerOf returns the fields of a profile beside samples and mappings.
func headerOf(p *profile.Profile) header {
	return header{types: p.SampleTypes, defaultType: p.DefaultSampleType, periodType: p.PeriodType,
		period: p.Period, time: p.TimeNanos, duration: p.DurationNanos, comments: p.Comments, docURL: p.DocURL,
		drop: p.DropFrames, keep: p.KeepFrames}
}

// part returns the rows that are not in the file yet, nil if all are. All parts together
// are a pprof profile without values, so that no other format has to be read.
func (d *dictionary) part() []byte {
	fresh := d.rows[d.kept.rows:]
	if len(fresh) == 0 && d.kept.mappings == len(d.mappings) {
		return nil
	}
	p := &profile.Profile{Name: "dictionary", Dict: d.dict,
		SampleTypes: []profile.ValueType{{Type: "rows", Unit: "count"}},
		Mappings:    d.mappings, Values: [][]int64{make([]int64, len(fresh))}}
	for _, r := range fresh {
		p.Stacks, p.Labels = append(p.Stacks, r.stack), append(p.Labels, r.labels)
	}
	return d.parts.Next(p)
}

// keep records that all rows are in the file.
func (d *dictionary) keep() { d.kept = counts{len(d.rows), len(d.mappings)} }

// rewrite makes the next part have all rows, for another file.
func (d *dictionary) rewrite() { d.kept, d.parts = counts{}, profile.NewParts() }

// read reads all parts, one after the other, into an empty dictionary.
func (d *dictionary) read(parts []byte) error {
	p, err := d.decode("dictionary", parts)
	if err != nil {
		return err
	}
	if d.parts, err = profile.ResumeParts(p, parts); err != nil {
		return err
	}
	for _, m := range p.Mappings {
		d.mapping(m)
	}
	for i, stack := range p.Stacks {
		if n := d.number(row{stack, p.Labels[i]}); int(n) != i {
			return fmt.Errorf("damaged: row %d twice", n)
		}
	}
	d.keep()
	d.bytes = (&profile.Profile{Dict: d.dict}).Memory()
	d.used = d.bytes
	return nil
}

// profile returns the profile of a frame. It shares the dictionary, and must be copied
// before the next append.
func (d *dictionary) profile(f *frame) (*profile.Profile, error) {
	p := &profile.Profile{Name: "profile", Dict: d.dict, SampleTypes: f.types, DefaultSampleType: f.defaultType,
		PeriodType: f.periodType, Period: f.period, TimeNanos: f.time, DurationNanos: f.duration,
		Comments: f.comments, DocURL: f.docURL, DropFrames: f.drop, KeepFrames: f.keep, Values: f.values}
	for _, m := range f.mappings {
		if int(m) >= len(d.mappings) {
			return nil, fmt.Errorf("damaged: mapping %d of %d", m, len(d.mappings))
		}
		p.Mappings = append(p.Mappings, d.mappings[m])
	}
	for _, number := range f.rows {
		if int(number) >= len(d.rows) {
			return nil, fmt.Errorf("damaged: row %d of %d", number, len(d.rows))
		}
		p.Stacks, p.Labels = append(p.Stacks, d.rows[number].stack), append(p.Labels, d.rows[number].labels)
	}
	return p, nil
}
