package process

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// procField returns the number that follows a name at the start of a line of
// a /proc file, in the unit given there: "oom_kill 3", "VmHWM:	 2184 kB".
func procField(file, name string) (int64, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) >= 2 && strings.TrimSuffix(fields[0], ":") == name {
			return strconv.ParseInt(fields[1], 10, 64)
		}
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("%s: no %s", file, name)
}

// ownPeak returns the peak RSS of this process in bytes, 0 where unknown.
func ownPeak() int64 {
	kb, err := procField("/proc/self/status", "VmHWM")
	if err != nil {
		return 0
	}
	return kb << 10
}
