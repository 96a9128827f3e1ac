package flame

// clipped shortens text to n runes, the last of them an ellipsis.
func clipped(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:max(0, n-1)]) + "…"
}
