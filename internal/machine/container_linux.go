package probe

// ContainerLimit returns the memory limit in bytes of the container that this
// process is in; false where there is none below the machine's own memory.
func ContainerLimit() (int64, bool) {
	limit, ok := cgroupLimit("/proc/self/cgroup", "/sys/fs/cgroup")
	if !ok {
		return 0, false
	}
	kb, err := procField("/proc/meminfo", "MemTotal")
	return limit, err != nil || limit < kb<<10
}
