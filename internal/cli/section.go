package cli

import (
	"flag"
	"fmt"
	"io"
)

// flagSet holds the flags of a command. Each is declared in the section of the help
// that shows it, as in fs.output.rare.BoolVar.
type flagSet struct {
	target, service, input, experiment, checks, proposals, comparison, prices, view, output section

	// all has the flags of all sections, and former names.
	all *flag.FlagSet
}

// section is a part of the help of a command.
type section struct {
	common flag.FlagSet // -h and -h all show these
	rare   flag.FlagSet // only -h all shows these
}

type titledSection struct {
	title string
	*section
}

// sections returns the sections in the order in which help shows them.
func (fs *flagSet) sections() []titledSection {
	return []titledSection{
		{"Target", &fs.target},
		{"Service", &fs.service},
		{"Input", &fs.input},
		{"Experiment", &fs.experiment},
		{"Checks", &fs.checks},
		{"Proposals", &fs.proposals},
		{"Comparison", &fs.comparison},
		{"Prices", &fs.prices},
		{"View", &fs.view},
		{"Output", &fs.output},
	}
}

// flags returns the flags of a command, and the function that does its work.
func (c *command) flags() (*flagSet, runner) {
	fs := &flagSet{all: flag.NewFlagSet(c.name, flag.ContinueOnError)}
	fs.all.SetOutput(io.Discard) // run words the errors, and help prints the flags
	do := c.prepare(fs)
	add := func(f *flag.Flag) { fs.all.Var(f.Value, f.Name, f.Usage) }
	for _, s := range fs.sections() {
		s.common.VisitAll(add)
		s.rare.VisitAll(add)
	}
	return fs, do
}

// former keeps a name that a flag had before. Help and completion leave it out,
// because it has no text.
func (fs *flagSet) former(name string, set func(string) error) { fs.all.Func(name, "", set) }

// print writes the common flags of the section, or all of them.
func (s titledSection) print(w io.Writer, all bool) {
	parts := []*flag.FlagSet{&s.common}
	if all {
		parts = append(parts, &s.rare)
	}
	title := fmt.Sprintf("\n%s:\n", s.title)
	for _, part := range parts {
		if len(flagNames(part)) > 0 {
			fmt.Fprint(w, title)
			title = ""
		}
		part.SetOutput(w)
		part.PrintDefaults()
	}
}
