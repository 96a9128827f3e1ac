package tune

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
)

// worthChanging is the share of CPU or of the live heap from which on the answer
// asks for a change of the code.
const worthChanging = 0.03

// headline joins the sentence about modes and the first finding of the page. The one
// that certainly saves more comes first. If no mode was proven, that is the finding. If
// the program is bound by its own work, the headline begins with that, unless the finding
// certainly matters.
func (d *Document) headline(modes string, saves float64, proven bool) string {
	f, why := d.first()
	if f == nil {
		if proven {
			return sentences(modes, why, d.Own)
		}
		return sentences(d.Own, modes, why)
	}
	switch certain := f.CPU.Low >= worthChanging || f.Memory.Low >= much; {
	case !proven && d.Own != "" && !certain:
		return sentences(d.Own, "First "+toDo(f), modes)
	case !proven || d.Library && !d.upgrades() || f.CPU.Low > saves || f.Memory.Low >= much:
		return sentences("First "+toDo(f), modes, d.Own)
	}
	return sentences(modes, "Next, "+toDo(f), d.Own)
}

// sure reports whether a finding surely saves something, or is likely to. A finding of
// low confidence whose range begins at nothing does not ask for a change by itself.
func (d *Document) sure() bool {
	return slices.ContainsFunc(d.InCode(), func(i int) bool {
		f := &d.Diagnosis.Findings[i]
		likely := f.Confidence != evidence.Low || f.CPU.Low > 0 || f.Memory.Low > 0
		return !f.OfTest() && !d.upgraded(f) && f.Ceiling() >= worthChanging && likely
	})
}

// upgrades reports whether the advice chooses the version of a dependency.
func (d *Document) upgrades() bool {
	return d.Advice != nil && len(parsed(d.Advice.Mode).Dependencies()) > 0
}

// upgraded reports whether a finding is about a dependency that the advice upgrades.
func (d *Document) upgraded(f *rules.Finding) bool {
	return d.Advice != nil && slices.ContainsFunc(append(blamed(f), f.Library...), func(l rules.LibraryLine) bool {
		return versionIn(d.Advice.Mode, l.Module) != ""
	})
}

// first returns the first finding on the page, or nil and the reason why none is worth a
// change. It skips lines in tests, which are not part of the program, and findings that
// an upgrade fixes, which need no change of the code. It returns none if no finding is
// sure to save anything.
func (d *Document) first() (f *rules.Finding, why string) {
	inTests := false
	for _, i := range d.InCode() {
		switch f := &d.Diagnosis.Findings[i]; {
		case d.upgraded(f):
		case f.OfTest():
			inTests = true
		case f.Ceiling() < worthChanging:
			return nil, fmt.Sprintf("No line of code stands out: the first finding, %s, could save at most %s",
				place(f), most(f))
		case !d.sure():
			return nil, fmt.Sprintf("No change of the code is sure to save anything: the first finding, %s, could save up to %s, or nothing",
				place(f), most(f))
		default:
			return f, ""
		}
	}
	if inTests {
		return nil, "Only lines in tests stand out, and tests are not part of the program"
	}
	return nil, "No line of code stands out"
}

// toDo returns the request to change the code of a finding, with the possible saving.
func toDo(f *rules.Finding) string {
	text := "look into this: " + f.Title
	if f.File != "" {
		text = "change " + place(f)
	}
	text += ": it could save up to " + most(f)
	if f.Memory.High <= f.CPU.High && f.CPU.Low > 0 && f.CPU.Low < unsure*f.CPU.High {
		text += ", or as little as " + format.RoughShare(f.CPU.Low)
	}
	if f.Confidence == evidence.Low {
		text += ", with low confidence"
	}
	return text
}

// unsure is the part of a predicted saving below which the text also gives the low end.
const unsure = 0.1

// most returns the largest saving that a finding predicts.
func most(f *rules.Finding) string {
	if f.Resident.High > 0 {
		return format.RoughShare(f.Resident.High) + " of resident memory"
	}
	text := format.RoughShare(f.CPU.High) + " of CPU"
	if f.Memory.High > f.CPU.High {
		text += " and " + format.RoughShare(f.Memory.High) + " of the live heap"
	}
	return text
}

// place names the line of a finding, if it has one, and its title.
func place(f *rules.Finding) string {
	if f.File == "" {
		return f.Title
	}
	return fmt.Sprintf("%s:%d (%s)", near(f.File), f.Line, f.Title)
}

// near shortens the path of a file outside the module, which is absolute, to the last
// folder and the name. Other paths are short already.
func near(file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	dir, name := filepath.Split(file)
	return filepath.ToSlash(filepath.Join(filepath.Base(dir), name))
}
