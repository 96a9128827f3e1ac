//go:build planted_cpu10

package planted

const cpuUnits = 110
