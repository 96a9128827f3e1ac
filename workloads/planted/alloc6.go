//go:build planted_alloc6

package planted

const allocUnits = 106
