package edit

import (
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	const text = "0123456789"
	at := func(start, end int, new string) Edit { return Edit{"f", start, end, new} }
	for name, test := range map[string]struct {
		first, second []Edit
		want          string // "" where they overlap
	}{
		"apart":                   {[]Edit{at(0, 1, "a")}, []Edit{at(5, 6, "b")}, "a1234b6789"},
		"in any order":            {[]Edit{at(5, 6, "b")}, []Edit{at(0, 1, "a")}, "a1234b6789"},
		"side by side":            {[]Edit{at(0, 2, "a")}, []Edit{at(2, 4, "b")}, "ab456789"},
		"crossing":                {[]Edit{at(0, 3, "a")}, []Edit{at(2, 4, "b")}, ""},
		"within":                  {[]Edit{at(0, 9, "a")}, []Edit{at(2, 2, "b")}, ""},
		"an import for both":      {[]Edit{at(0, 0, "import\n"), at(4, 5, "a")}, []Edit{at(0, 0, "import\n"), at(6, 7, "b")}, "import\n0123a5b789"},
		"lines at one place":      {[]Edit{at(3, 3, "a\n")}, []Edit{at(3, 3, "b\n")}, "012a\nb\n3456789"},
		"arguments at one place":  {[]Edit{at(3, 3, ", a")}, []Edit{at(3, 3, ", b")}, ""},
		"a line before a change":  {[]Edit{at(3, 4, "x")}, []Edit{at(3, 3, "a\n")}, "012a\nx456789"},
		"two changes of one text": {[]Edit{at(3, 4, "x")}, []Edit{at(3, 4, "y")}, ""},
		"beyond the file":         {nil, []Edit{at(9, 11, "x")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			merged, ok := Merge(test.first, test.second, len(text))
			if !ok {
				if test.want != "" {
					t.Fatalf("overlap, want %q", test.want)
				}
				return
			}
			var got strings.Builder
			end := 0
			for _, e := range merged {
				got.WriteString(text[end:e.Start] + e.New)
				end = e.End
			}
			got.WriteString(text[end:])
			if got.String() != test.want {
				t.Errorf("%q, want %q", got.String(), test.want)
			}
		})
	}
}
