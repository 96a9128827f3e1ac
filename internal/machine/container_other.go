//go:build !linux

package probe

// ContainerLimit returns the memory limit of the container that this process is
// in; false, since this system has none.
func ContainerLimit() (int64, bool) { return 0, false }
