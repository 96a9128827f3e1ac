// Package guarded logs at levels that are mostly off.
package guarded

import (
	"context"
	"log/slog"

	"github.com/go-logr/logr"
	"go.uber.org/zap"
)

type server struct {
	log   *slog.Logger
	zap   *zap.Logger
	logr  logr.Logger
	count int
}

func (s *server) handle(ctx context.Context, path string, sizes []int) {
	s.log.Debug("handled", "path", path, "count", s.count+1)           // want `the values are boxed even where the level is off`
	s.log.DebugContext(ctx, "handled", slog.Int("size", len(sizes)))   // want `ask whether it is on`
	slog.Debug("handled", "path", path)                                // want `ask whether it is on`
	s.zap.Debug("handled", zap.String("path", path))                   // want `ask whether it is on`
	s.logr.V(4).Info("handled", "path", path, "bytes", int64(s.count)) // want `ask whether it is on`
}

// Arguments that have an effect or may panic, nothing to box, questions that are asked
// already, and levels that are on.
func (s *server) clean(path func() string, sizes []int) {
	s.log.Debug("handled", "path", path())
	s.log.Debug("handled", "size", sizes[0])
	s.log.Debug("handled", "size", 1/s.count)
	s.log.Debug("handled")
	s.log.Info("handled", "count", s.count)
	s.logr.Info("handled", "count", s.count)
	s.logger().Debug("handled", "count", s.count)
	if s.log.Enabled(context.Background(), slog.LevelDebug) {
		s.log.Debug("handled", "count", s.count)
	}
	switch s.count {
	case 1:
		s.log.Debug("handled", "count", s.count) // want `ask whether it is on`
	}
}

func (s *server) logger() *slog.Logger { return s.log }
