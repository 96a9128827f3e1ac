package termtext

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Policy is the Content-Security-Policy of a page that is one file: it lets the
// page use the styles and scripts that Hash names, and nothing else. Should a
// text ever become markup, it could neither run nor load anything.
func Policy(styles, scripts []string) string {
	if len(scripts) == 0 {
		scripts = []string{"'none'"}
	}
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + strings.Join(styles, " ") +
		"; script-src " + strings.Join(scripts, " ")
}

// Hash names the whole text of a style or script element in a policy.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
