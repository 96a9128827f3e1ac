package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/suggest"
)

func usage(w io.Writer) {
	fmt.Fprint(w, `Heapwright finds changes that make a Go program spend less CPU time and memory on
allocation and garbage collection, and measures their gain.

Usage: heapwright COMMAND [flags] ...

`)
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, c := range commands {
		fmt.Fprintf(tw, "  %s\t%s\n", c.name, c.short)
	}
	for _, f := range forms {
		fmt.Fprintf(tw, "  %s\t%s\n", f.name, f.short)
	}
	tw.Flush()
	fmt.Fprint(w, `
heapwright COMMAND -h shows the common flags of a command; -h all shows every flag.
To begin, run these in the folder of a Go module:

  heapwright init
  heapwright tune
`)
}

// help explains a command with its common flags, or with all.
func help(w io.Writer, c *command, fs *flagSet, all bool) {
	fmt.Fprintf(w, "Usage: heapwright %s %s\n\n%s\n", c.name, c.args, strings.TrimSpace(c.long))
	rare := 0
	for _, s := range fs.sections() {
		s.print(w, all)
		rare += len(flagNames(&s.rare))
	}
	load := fs.all.Lookup("load")
	if rare > 0 && !all {
		fmt.Fprintf(w, "\nheapwright %s -h all shows %d more flags", c.name, rare)
		if load != nil {
			fmt.Fprint(w, " and the keys of -load")
		}
		fmt.Fprintln(w, ".")
	}
	if load != nil && all {
		var b bytes.Buffer
		keys := load.Value.(loadSpec).keys
		keys.SetOutput(&b)
		keys.PrintDefaults()
		fmt.Fprintf(w, "\nKeys of -load:\n%s", strings.ReplaceAll("\n"+b.String(), "\n  -", "\n  ")[1:])
	}
}

// wantsAll reports whether the arguments ask for the help of all flags.
func wantsAll(args []string) bool {
	at := slices.IndexFunc(args, func(a string) bool { return a == "-h" || a == "--help" || a == "-help" })
	return at >= 0 && slices.Contains(args[at:], "all")
}

// unknownFlag says which flag was probably meant where an error of flag.Parse is
// about one that a command does not have.
func unknownFlag(fs *flag.FlagSet, err error) string {
	_, name, unknown := strings.Cut(err.Error(), "not defined: -")
	if !unknown {
		return ""
	}
	if load := fs.Lookup("load"); load != nil && load.Value.(loadSpec).keys.Lookup(name) != nil {
		return fmt.Sprintf("; it is a key of -load: write -load %s=VALUE", name)
	}
	if near := suggest.Nearest(name, flagNames(fs)); near != "" {
		return fmt.Sprintf("; did you mean -%s?", near)
	}
	return ""
}

// unknownCommand says which command was probably meant.
func unknownCommand(name string) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	for _, f := range forms {
		names = append(names, f.name)
	}
	if near := suggest.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q? ", near)
	}
	return ""
}

// jsonFlag asks for the document of a command instead of its text.
func jsonFlag(fs *flagSet, json *bool) {
	fs.output.common.BoolVar(json, "json", false, "print the JSON document instead of text")
}

// printFile copies a document that was written to standard output.
func printFile(env Env, file string) error {
	f, err := input.OpenRegular(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(env.Stdout, f)
	return err
}
