package probe

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// ReadMachineTime reads the first line of /proc/stat (see proc_stat(5)); the
// zero value is returned where that cannot be read.
func ReadMachineTime() MachineTime {
	f, err := os.Open("/proc/stat")
	if err != nil {
		return MachineTime{}
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadString('\n')
	return machineTime(line)
}

// machineTime takes "cpu user nice system idle iowait irq softirq steal …"
// apart. The time of guests is in user and nice already.
func machineTime(line string) (t MachineTime) {
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return MachineTime{}
	}
	for i, text := range fields[1:9] {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return MachineTime{}
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
