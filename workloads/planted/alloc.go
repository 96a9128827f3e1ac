//go:build !planted_alloc5 && !planted_alloc6

package planted

const allocUnits = 100
