package profile_test

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// Small files that ask for much memory get little more of it than the limit
// says, decoded alone, into a shared dictionary, or merged.
func TestAmplifiers(t *testing.T) {
	for _, name := range profiletest.Amplifiers() {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			if err := profiletest.Amplify(&file, name, 1<<18); err != nil {
				t.Fatal(err)
			}
			const limit = 16 << 20
			for how, decode := range map[string]func() error{
				"alone": func() error {
					_, err := profile.NewDecoder(profile.Options{MaxBytes: limit}).DecodeBytes(name, file.Bytes())
					return err
				},
				"merged": func() error {
					m := profile.NewMerger(profile.Options{MaxBytes: limit, Dict: new(profile.Dict)})
					return m.Decode(name, bytes.NewReader(file.Bytes()))
				},
			} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := decode()
				runtime.ReadMemStats(&after)
				// Four times the memory held at once: slices that grow leave their old memory.
				if got := int64(after.TotalAlloc - before.TotalAlloc); got > 8*limit {
					t.Errorf("%s: %d MB allocated for %d KB: %v", how, got>>20, file.Len()>>10, err)
				}
				if err != nil && !errors.Is(err, profile.ErrTooLarge) && !strings.Contains(err.Error(), "valid") {
					t.Errorf("%s: %v", how, err)
				}
				if errors.Is(err, profile.ErrTooLarge) && !strings.Contains(err.Error(), "-max-bytes") {
					t.Errorf("%s: %v names no remedy", how, err)
				}
			}
		})
	}
}
