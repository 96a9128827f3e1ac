package mode

import (
	"encoding/json"
	"fmt"
)

// modeText is a mode in JSON. Each setting is as in a list of modes.
type modeText struct {
	Name     string   `json:"name"`
	Settings []string `json:"settings,omitempty"`
}

// MarshalJSON writes the mode such that UnmarshalJSON reads the same one.
func (m Mode) MarshalJSON() ([]byte, error) {
	w := modeText{Name: m.Name}
	for _, s := range m.Settings {
		w.Settings = append(w.Settings, s.String())
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads the form that MarshalJSON writes.
func (m *Mode) UnmarshalJSON(data []byte) error {
	var w modeText
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*m = Mode{Name: w.Name}
	for _, text := range w.Settings {
		t, rest, err := scanToken(text, true)
		if err == nil && rest != "" {
			err = fmt.Errorf("%q is not one setting", text)
		}
		if err != nil {
			return fmt.Errorf("mode %q: %w", w.Name, err)
		}
		s, err := newSetting(t)
		if err != nil {
			return fmt.Errorf("mode %q: %w", w.Name, err)
		}
		m.Settings = append(m.Settings, s)
	}
	return nil
}
