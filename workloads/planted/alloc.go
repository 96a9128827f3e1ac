//go:build !planted_alloc5

package planted

const allocUnits = 100
