package process

import "bytes"

// maxLine bounds the part of a line that is kept: far more than the lines that are
// looked for, far less than a program may print.
const maxLine = 1 << 10

// Lines cuts a stream into lines of at most 1 KiB, without their end; longer ones are cut
// off.
type Lines struct {
	Each    func(line []byte) // must not keep the line
	partial []byte
}

// Write takes more of the stream; it never fails.
func (l *Lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		l.partial = append(l.partial, line[:min(len(line), maxLine-len(l.partial))]...)
		if !ended {
			return n, nil
		}
		l.Flush()
		p = rest
	}
}

// Flush ends a line that has no end, as the last one of a program that was
// killed.
func (l *Lines) Flush() {
	if len(l.partial) > 0 {
		l.Each(bytes.TrimSuffix(l.partial, []byte("\r")))
		l.partial = l.partial[:0]
	}
}
