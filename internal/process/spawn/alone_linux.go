package spawn

import (
	"os"
	"syscall"
	"unsafe"
)

// raiseLoopback lets the programs of a new network namespace use the loopback interface, as
// tests of servers do. If it does not succeed, they fail with an error that says so.
func raiseLoopback() {
	// netdevice(7): struct ifreq has the name of an interface, then a union of 24 bytes that
	// begins with the flags.
	request := struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		rest  [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(request.name[:], "lo")
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer syscall.Close(socket)
	syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
}

// prctl(2), capabilities(7).
const (
	prCapBoundingDrop    = 24
	prSetNoNewPrivileges = 38
	capabilityVersion3   = 0x20080522
)

// giveUpRights drops all capabilities in the namespace, so that the program that is executed
// next has none, even as root or by a set-user-ID program.
func giveUpRights() error {
	for capability := uintptr(0); ; capability++ {
		_, _, e := syscall.Syscall(syscall.SYS_PRCTL, prCapBoundingDrop, capability, 0)
		if e == syscall.EINVAL && capability > 0 { // there are no more
			break
		}
		if e != 0 {
			return os.NewSyscallError("prctl", e)
		}
	}
	if _, _, e := syscall.Syscall6(syscall.SYS_PRCTL, prSetNoNewPrivileges, 1, 0, 0, 0, 0); e != 0 {
		return os.NewSyscallError("prctl", e)
	}
	// The inheritable set outlives an execve as root. Ambient capabilities go with it.
	header := struct{ version, pid uint32 }{version: capabilityVersion3}
	var none [6]uint32 // two times effective, permitted, inheritable
	_, _, e := syscall.Syscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none)), 0)
	if e != 0 {
		return os.NewSyscallError("capset", e)
	}
	return nil
}
