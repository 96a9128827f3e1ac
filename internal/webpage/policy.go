package webpage

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Policy is the Content-Security-Policy of a page that is one file. It allows the
// styles and scripts that Hash names, and nothing else. If a text ever became markup,
// it could neither run nor load anything.
func Policy(styles, scripts []string) string {
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + strings.Join(styles, " ") +
		"; script-src " + strings.Join(scripts, " ")
}

// Hash names the whole text of a style or script element in a policy.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
