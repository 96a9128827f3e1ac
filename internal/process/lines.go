package probe

import "bytes"

// maxLine bounds the part of a line that is kept: far more than the lines that are
// looked for, far less than a program may print.
const maxLine = 1 << 10

// lines cuts a stream into lines of at most maxLine bytes, without their end;
// longer ones are cut off.
type lines struct {
	each    func(line []byte) // may not keep it
	partial []byte
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		l.partial = append(l.partial, line[:min(len(line), maxLine-len(l.partial))]...)
		if !ended {
			return n, nil
		}
		l.flush()
		p = rest
	}
}

// flush ends a line that has no end, as the last one of a program that was
// killed.
func (l *lines) flush() {
	if len(l.partial) > 0 {
		l.each(bytes.TrimSuffix(l.partial, []byte("\r")))
		l.partial = l.partial[:0]
	}
}
