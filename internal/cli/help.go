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

// section is a part of the help of every command. A flag has one meaning, so it
// has one section, whichever commands have it.
type section struct {
	title string
	first []string // flags that -h shows
	rest  []string // flags that only -h all shows
}

var sections = []section{
	{"Target",
		[]string{"C", "bench", "main", "url", "load"},
		[]string{"config", "exit-code", "memory", "modules", "service", "ca", "cert", "key", "insecure", "token-file", "user", "password-file", "header", "allow-redirects"}},
	{"Experiment",
		[]string{"modes", "mode", "budget", "max-rss", "base", "limits", "against", "fail-over", "go", "duration", "profile", "all", "fix", "diff"},
		[]string{"modes-file", "head", "dirty", "blocks", "run-time", "run-timeout", "seed", "sittings", "experiments", "fixed",
			"core-hour", "gib-hour", "instances", "strict", "gc", "timeout", "max-bytes", "trace", "trace-duration"}},
	{"Output",
		[]string{"o", "json", "sarif", "resume", "type", "focus", "force"},
		[]string{"format", "ignore", "normalize", "invert", "markdown", "junit", "annotations"}},
}

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

// help explains a command with its usual flags, or with all.
func help(w io.Writer, c *command, fs *flag.FlagSet, all bool) {
	fmt.Fprintf(w, "Usage: heapwright %s %s\n\n%s\n", c.name, c.args, strings.TrimSpace(c.long))
	hidden := 0
	for _, s := range sections {
		names := s.first
		if all {
			names = slices.Concat(s.first, s.rest)
		} else {
			hidden += shownFlags(io.Discard, s.title, fs, s.rest)
		}
		shownFlags(w, s.title, fs, names)
	}
	if hidden > 0 {
		fmt.Fprintf(w, "\nheapwright %s -h all shows %d more flags", c.name, hidden)
		if fs.Lookup("load") != nil {
			fmt.Fprint(w, " and the keys of -load")
		}
		fmt.Fprintln(w, ".")
	}
	if load := fs.Lookup("load"); load != nil && all {
		keys := load.Value.(loadSpec).keys
		var b bytes.Buffer
		keys.SetOutput(&b)
		keys.PrintDefaults()
		fmt.Fprintf(w, "\nKeys of -load:\n%s", strings.ReplaceAll("\n"+b.String(), "\n  -", "\n  ")[1:])
	}
}

// shownFlags prints those of the named flags that a command has, and returns
// their number.
func shownFlags(w io.Writer, title string, fs *flag.FlagSet, names []string) int {
	n := 0
	for _, name := range names {
		f := fs.Lookup(name)
		if f == nil || f.Usage == "" {
			continue
		}
		if n++; n == 1 {
			fmt.Fprintf(w, "\n%s:\n", title)
		}
		one := flag.NewFlagSet("", flag.ContinueOnError)
		one.SetOutput(w)
		one.Var(f.Value, f.Name, f.Usage)
		one.Lookup(name).DefValue = f.DefValue
		one.PrintDefaults()
	}
	return n
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
func jsonFlag(fs *flag.FlagSet, json *bool) {
	fs.BoolVar(json, "json", false, "print the JSON document instead of text")
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
