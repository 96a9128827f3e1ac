package termtext

import "strings"

// HarmlessLines makes each line of a text harmless. It keeps tabs and the ends of lines,
// which source needs.
func HarmlessLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j, cell := range cells {
			cells[j] = Harmless(cell)
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}
