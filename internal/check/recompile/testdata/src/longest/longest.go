// Package longest changes regexps, so that none may be shared.
package longest

import "regexp"

func changed(s string) string {
	re := regexp.MustCompile("a|ab") // want `constant pattern`
	re.Longest()
	return re.FindString(s)
}

func made() *regexp.Regexp {
	return regexp.MustCompile("b|bc") // want `constant pattern`
}

func changedLater(s string) string {
	re := made()
	re.Longest()
	return re.FindString(s)
}
