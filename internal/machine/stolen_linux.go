package machine

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// ReadTime reads the first line of /proc/stat (see proc_stat(5)); the
// zero value is returned where that cannot be read.
func ReadTime() Time {
	f, err := os.Open("/proc/stat")
	if err != nil {
		return Time{}
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadString('\n')
	return readTime(line)
}

// readTime takes "cpu user nice system idle iowait irq softirq steal …"
// apart. The time of guests is in user and nice already.
func readTime(line string) (t Time) {
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return Time{}
	}
	for i, text := range fields[1:9] {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return Time{}
		}
		switch i {
		case 3, 4: // idle, and idle waiting for a disk
		case 7:
			t.Stolen = n
		default:
			t.Busy += n
		}
	}
	return t
}
