package gctune

import "fmt"

// State is the tuner's stand between memory and CPU.
type State uint8

const (
	Stopped   State = iota // no tuner runs
	Calm                   // collections fit under both the limit and the CPU cap
	Defending              // the CPU cap is given up to stay under the limit
	Exceeding              // the limit is given up to keep the cap
	Yielded                // somebody else set GOGC or the limit: the tuner changes nothing
)

var stateNames = [...]string{"stopped", "calm", "defending", "exceeding", "yielded"}

// String returns the name in lower case, such as "calm".
func (s State) String() string {
	if int(s) >= len(stateNames) {
		return fmt.Sprintf("State(%d)", uint8(s))
	}
	return stateNames[s]
}

// MarshalText returns the name, for encoders of JSON and others.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts the names that [State.String] returns.
func (s *State) UnmarshalText(text []byte) error {
	for i, name := range stateNames {
		if name == string(text) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("gctune: unknown state %q", text)
}
