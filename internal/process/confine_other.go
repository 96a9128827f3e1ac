//go:build !linux

package process

// OwnNetwork reports whether confined processes have a network of their own here.
func OwnNetwork() bool { return false }

// resident is not known.
func (p *process) resident() int64 { return 0 }
