package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// completions are the shells for which there is a script, and the functions that write it.
var completions = map[string]func(w io.Writer){"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

// completion writes a script that makes a shell complete commands and flags.
func completion(env Env, args []string) int {
	if len(args) == 1 && completions[args[0]] != nil {
		completions[args[0]](env.Stdout)
		return exitOK
	}
	fmt.Fprint(env.Stderr, `heapwright completion: name the shell: bash, zsh or fish

  bash   heapwright completion bash > ~/.local/share/bash-completion/completions/heapwright
  zsh    heapwright completion zsh > a file _heapwright in a folder of $fpath
  fish   heapwright completion fish > ~/.config/fish/completions/heapwright.fish
`)
	return exitUsage
}

// forms are the commands that are no command values.
var forms = []struct{ name, short string }{
	{"completion", "print a script that completes commands and flags, for bash, zsh or fish"},
	{"version", "print the version"},
	{"help", "show the commands, or the help of one"},
}

func eachCommand(do func(name, short string, fs *flag.FlagSet)) {
	for _, c := range commands {
		fs, _ := c.flags()
		do(c.name, c.short, fs.all)
	}
	for _, f := range forms {
		do(f.name, f.short, flag.NewFlagSet(f.name, flag.ContinueOnError))
	}
}

func bashCompletion(w io.Writer) {
	var names []string
	var cases strings.Builder
	eachCommand(func(name, _ string, fs *flag.FlagSet) {
		names = append(names, name)
		if flags := flagNames(fs); len(flags) > 0 {
			fmt.Fprintf(&cases, "    %s) words='-%s -h' ;;\n", name, strings.Join(flags, " -"))
		}
	})
	fmt.Fprintf(w, `# bash completion for heapwright
_heapwright() {
  local cur=${COMP_WORDS[COMP_CWORD]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='%s'
  elif [ "${cur#-}" != "$cur" ]; then
    case ${COMP_WORDS[1]} in
%s    completion) ;;
    esac
  elif [ "${COMP_WORDS[1]}" = completion ]; then
    words='bash zsh fish'
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _heapwright heapwright
`, strings.Join(names, " "), cases.String())
}

func zshCompletion(w io.Writer) {
	item := func(name, text string) string {
		return shellString(name + ":" + strings.ReplaceAll(text, ":", "\\:"))
	}
	var names, cases strings.Builder
	eachCommand(func(name, short string, fs *flag.FlagSet) {
		fmt.Fprintf(&names, "      %s\n", item(name, short))
		fmt.Fprintf(&cases, "    %s)\n      flags=(\n", name)
		for _, flagName := range flagNames(fs) {
			_, text := flag.UnquoteUsage(fs.Lookup(flagName))
			fmt.Fprintf(&cases, "        %s\n", item("-"+flagName, text))
		}
		cases.WriteString("      ) ;;\n")
	})
	fmt.Fprintf(w, `#compdef heapwright
_heapwright() {
  local -a names flags
  if (( CURRENT == 2 )); then
    names=(
%s    )
    _describe command names
    return
  fi
  case $words[2] in
%s  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o flag flags
  else
    _files
  fi
}
if [ "$funcstack[1]" = _heapwright ]; then _heapwright "$@"; else compdef _heapwright heapwright; fi
`, names.String(), cases.String())
}

func fishCompletion(w io.Writer) {
	fmt.Fprintln(w, "# fish completion for heapwright")
	eachCommand(func(name, short string, fs *flag.FlagSet) {
		fmt.Fprintf(w, "complete -c heapwright -f -n __fish_use_subcommand -a %s -d %s\n", name, shellString(short))
		for _, flagName := range flagNames(fs) {
			_, text := flag.UnquoteUsage(fs.Lookup(flagName))
			fmt.Fprintf(w, "complete -c heapwright -n '__fish_seen_subcommand_from %s' -o %s -d %s\n", name, flagName, shellString(text))
		}
	})
	fmt.Fprintln(w, "complete -c heapwright -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'")
}

// shellString is a string in single quotes, as all three shells read it.
func shellString(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
