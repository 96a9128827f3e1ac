package clean

import "fmt"

type level int

func (l level) String() string { return "level" }

type id int

func named(l level, i id) []string { return []string{fmt.Sprint(l), fmt.Sprintf("%d", i)} }

func padded(n int) string { return fmt.Sprintf("%03d", n) }

func hex(n int) string { return fmt.Sprintf("%x", n) }

func wrong(n int) string { return fmt.Sprintf("%5.1d", n) }

func float(f float64) string { return fmt.Sprint(f) }

func two(a, b int) string { return fmt.Sprint(a, b) }

func spread(all []any) string { return fmt.Sprint(all...) }

func boxed(x any) string { return fmt.Sprint(x) }

func failure(err error) string { return fmt.Sprintf("%v", err) }

func parameter[T int | string](x T) string { return fmt.Sprint(x) }

func bytes(b []byte) string { return fmt.Sprintf("%s", b) }

func variable(format string, n int) string { return fmt.Sprintf(format, n) }

func fixed() string { return fmt.Sprint(1) }

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// The copy of a part lets the rest be collected.
func part(s string) string { return fmt.Sprintf("%s", s[2:]) }

const usage = "unknown subcommand %s, try %s"

func constants(a, b string) string { return fmt.Sprintf(usage, a, b) }
