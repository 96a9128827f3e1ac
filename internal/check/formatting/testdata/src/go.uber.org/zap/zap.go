// Package zap stands for go.uber.org/zap.
package zap

type (
	Logger       struct{}
	CheckedEntry struct{}
	Field        struct{}
	Level        int8
)

const DebugLevel Level = -1

func String(key, value string) Field { return Field{} }

func (*Logger) Debug(msg string, fields ...Field)           {}
func (*Logger) Check(level Level, msg string) *CheckedEntry { return nil }
func (*CheckedEntry) Write(fields ...Field)                 {}
