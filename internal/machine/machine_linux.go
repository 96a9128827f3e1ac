package machine

import (
	"bytes"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func systemFacts() (kernel, cpu string, memory int64) {
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		kernel = unix.ByteSliceToString(u.Release[:])
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	var system unix.Sysinfo_t
	if unix.Sysinfo(&system) == nil {
		memory = int64(uint64(system.Totalram) * uint64(system.Unit))
	}
	return kernel, cpuName(info), memory
}

// cpuName returns the processor's name from /proc/cpuinfo: the model name, or
// on arm64, whose kernel gives none, the numbers of maker and part.
func cpuName(info []byte) string {
	fields := map[string]string{}
	for line := range bytes.Lines(info) {
		if key, value, ok := strings.Cut(string(line), ":"); ok {
			key = strings.TrimSpace(key)
			if _, seen := fields[key]; !seen {
				fields[key] = strings.TrimSpace(value)
			}
		}
	}
	if name := fields["model name"]; name != "" {
		return name
	}
	if part := fields["CPU part"]; part != "" {
		return "implementer " + fields["CPU implementer"] + " part " + part
	}
	return ""
}
