package truth

// Change is a finding's advice, carried out by hand in lines of our own.
type Change struct {
	Of    string // the module or release whose diagnosis advises it
	For   string // the findings' FILE:LINE or FILE:FIRST-LAST
	Rules string // that it carries out there, separated by spaces; "" is all
	What  string // the change, for people
	Edits []Edit
	Tests []string // packages whose tests must pass; those of an arena or a pool also with -race
	Race  bool
}

// Edit replaces lines of a file.
type Edit struct {
	At    string // FILE:LINE or FILE:FIRST-LAST
	Lines string // our own; "" takes them out
}
