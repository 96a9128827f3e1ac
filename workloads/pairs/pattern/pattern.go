// Package pattern is a pair for patterns that are compiled for each use: the
// references to tickets are found in commit messages. Before, each message compiles
// the pattern; after, the package does, once.
package pattern

import "regexp"

const ticket = `\b([A-Z]{2,5})-([0-9]{1,6})\b`

// count returns the tickets in messages, by project.
type count func(messages []string) map[string]int

func before(messages []string) map[string]int {
	all := map[string]int{}
	for _, m := range messages {
		add(all, find(m))
	}
	return all
}

func find(message string) [][]string {
	re := regexp.MustCompile(ticket)
	return re.FindAllStringSubmatch(message, -1)
}

var compiled = regexp.MustCompile(ticket)

func after(messages []string) map[string]int {
	all := map[string]int{}
	for _, m := range messages {
		add(all, compiled.FindAllStringSubmatch(m, -1))
	}
	return all
}

func add(all map[string]int, found [][]string) {
	for _, f := range found {
		all[f[1]]++
	}
}
