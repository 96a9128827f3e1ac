// Package zap stands for go.uber.org/zap.
package zap

type SugaredLogger struct{}

func (*SugaredLogger) Infow(msg string, keysAndValues ...any)     {}
func (*SugaredLogger) Debugf(template string, args ...any)        {}
func (*SugaredLogger) Fatalw(msg string, keysAndValues ...any)    {}
func (s *SugaredLogger) With(keysAndValues ...any) *SugaredLogger { return s }
