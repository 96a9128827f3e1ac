// Package matrix is a pair for matrices of row slices: a title that was mistyped
// is compared with the titles of a catalog. Before, the table of each comparison
// has a slice per row; after, all have one, and the rows are parts of it.
package matrix

// before returns the title that is nearest to query, and how many edits away it is.
func before(titles []string, query string) (nearest string, edits int) {
	edits = -1
	for _, w := range titles {
		if edits >= 0 && apart(w, query) >= edits {
			continue
		}
		table := make([][]uint16, len(w)+1)
		for i := range table {
			table[i] = make([]uint16, len(query)+1)
			table[i][0] = uint16(i)
		}
		for j := range table[0] {
			table[0][j] = uint16(j)
		}
		for i := 1; i <= len(w); i++ {
			for j := 1; j <= len(query); j++ {
				replace := table[i-1][j-1]
				if w[i-1] != query[j-1] {
					replace++
				}
				least := min(replace, table[i-1][j]+1, table[i][j-1]+1)
				if i > 1 && j > 1 && w[i-1] == query[j-2] && w[i-2] == query[j-1] {
					least = min(least, table[i-2][j-2]+1)
				}
				table[i][j] = least
			}
		}
		if d := int(table[len(w)][len(query)]); edits < 0 || d < edits {
			nearest, edits = w, d
		}
	}
	return nearest, edits
}

func after(titles []string, query string) (nearest string, edits int) {
	edits = -1
	width := len(query) + 1
	var table []uint16
	for _, w := range titles {
		if edits >= 0 && apart(w, query) >= edits {
			continue
		}
		if size := (len(w) + 1) * width; len(table) < size {
			table = make([]uint16, 2*size)
		}
		for j := range width {
			table[j] = uint16(j)
		}
		for i := 1; i <= len(w); i++ {
			row, above := table[i*width:(i+1)*width], table[(i-1)*width:i*width]
			row[0] = uint16(i)
			for j := 1; j <= len(query); j++ {
				replace := above[j-1]
				if w[i-1] != query[j-1] {
					replace++
				}
				least := min(replace, above[j]+1, row[j-1]+1)
				if i > 1 && j > 1 && w[i-1] == query[j-2] && w[i-2] == query[j-1] {
					least = min(least, table[(i-2)*width+j-2]+1)
				}
				row[j] = least
			}
		}
		if d := int(table[len(w)*width+len(query)]); edits < 0 || d < edits {
			nearest, edits = w, d
		}
	}
	return nearest, edits
}

// apart is the least number of edits that titles of these lengths can need.
func apart(a, b string) int {
	if len(a) > len(b) {
		return len(a) - len(b)
	}
	return len(b) - len(a)
}
