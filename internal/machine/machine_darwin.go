package machine

import "golang.org/x/sys/unix"

func systemFacts() (kernel, cpu string, memory int64) {
	kernel, _ = unix.Sysctl("kern.osrelease")
	cpu, _ = unix.Sysctl("machdep.cpu.brand_string")
	if n, err := unix.SysctlUint64("hw.memsize"); err == nil {
		memory = int64(n)
	}
	return kernel, cpu, memory
}
