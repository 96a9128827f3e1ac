// Package joined formats texts of several parts.
package joined

import "fmt"

type level int

func (l level) String() string { return "level" }

type rows struct{ tenant string }

func (r *rows) rename() string {
	r.tenant = "other"
	return r.tenant
}

func around(n int) string { return fmt.Sprintf("n=%d", n) } // want `fmt boxes the values and interprets a format: concatenate the text`

func key(tenant, text string) string { return fmt.Sprintf("%s/%s", tenant, text) } // want `concatenate`

func address(host string, port uint16, ok bool) string {
	return fmt.Sprintf("%s:%d?%t&100%%", host, port, ok) // want `concatenate`
}

func count(counts map[string]int, r *rows, n int64) int {
	counts[fmt.Sprintf("%s|%v", r.tenant, n)]++       // want `concatenate`
	return len(fmt.Sprintf("%s|%d", r.tenant, n)[1:]) // want `concatenate`
}

// Operands are read in another order than arguments.
func ordered(r *rows) string { return fmt.Sprintf("%s-%s", r.tenant, r.rename()) } // want `concatenate`

func quoted(s string) string { return fmt.Sprintf("say \"%s\"\n", s) } // want `concatenate`

func bytes(n int) []byte { return []byte(fmt.Sprintf("n=%d, %x", n, n)) } // want `fmt makes a string, which is copied to bytes: use fmt.Append`

func line(n int) []byte { return []byte(fmt.Sprintln(n)) } // want `use fmt.Append`

// It may be empty, and Append would return nil.
func empty(s string) []byte { return []byte(fmt.Sprintf("%s", s)) } // want `use the string itself`

func named(l level) string { return fmt.Sprintf("level %d", l) }

func missing(s string) string { return fmt.Sprintf("%s %s", s) }

func extra(s string) string { return fmt.Sprintf("x%s", s, s) }

func padded(s string, n int) string { return fmt.Sprintf("%s %3d", s, n) }

func indexed(s string, n int) string { return fmt.Sprintf("%[2]s %[1]d", n, s) }

func part(s string) string { return fmt.Sprintf("…%s", s[2:]) }

func broken(n int) string { return fmt.Sprintf("%d%", n) }

func unknown(err error, n int) string { return fmt.Sprintf("%d: %v", n, err) }
