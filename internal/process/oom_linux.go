package process

// countOOMKills reads the kernel's count of processes that it killed for want
// of memory, the machine's or the memory of any control group, version 1 or 2
// (since Linux 4.13; __oom_kill_process in mm/oom_kill.c counts both).
func countOOMKills() oomKills {
	n, err := procField("/proc/vmstat", "oom_kill")
	return oomKills{n, err == nil}
}
