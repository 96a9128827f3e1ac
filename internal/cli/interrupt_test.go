package cli

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestWorkThatIgnoresTheContextIsAbandoned(t *testing.T) {
	for _, tt := range []struct {
		name   string
		saving bool
		takes  time.Duration // after the signal
		want   bool          // its own result
	}{
		{"returns in time", false, time.Second, true},
		{"computes on", false, time.Minute, false},
		{"saves", true, time.Minute, true},
		{"never saves", true, time.Hour, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				var saving atomic.Bool
				own := errors.New("its own")
				err := untilInterrupted(ctx, &saving, func() error {
					saving.Store(tt.saving)
					cancel()
					time.Sleep(tt.takes)
					return own
				})
				if got := errors.Is(err, own); got != tt.want || !got && !errors.Is(err, errInterrupted) {
					t.Errorf("ended with %v", err)
				}
				time.Sleep(tt.takes) // the bubble ends with the work
			})
		})
	}
	if err := untilInterrupted(t.Context(), new(atomic.Bool), func() error { return nil }); err != nil {
		t.Errorf("without a signal: %v", err)
	}
}
