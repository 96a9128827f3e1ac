//go:build cured

package pairs

const cured = true
