//go:build !linux

package probe

// ReadMachineTime returns the zero value: this system does not tell.
func ReadMachineTime() MachineTime { return MachineTime{} }
