package gctune

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// reader reads one small kernel file again and again. It keeps the file open,
// so that a read neither allocates nor walks the path, and so that a control
// group which is removed shows as an error and not as another group's file.
type reader struct {
	root fs.FS
	name string
	file fs.File

	// absent is the error of a file that is not there. It is not looked for
	// again: most of those that a system does not have, it never has.
	absent error
}

// read fills buf from the beginning of the file and returns the part that it filled.
func (r *reader) read(buf []byte) ([]byte, error) {
	if r.absent != nil {
		return nil, r.absent
	}
	if r.file == nil {
		f, err := r.root.Open(r.name)
		if err != nil {
			err = fmt.Errorf("gctune: %w", err)
			if errors.Is(err, fs.ErrNotExist) {
				r.absent = err
			}
			return nil, err
		}
		r.file = f
	}
	at, ok := r.file.(io.ReaderAt)
	if !ok {
		return nil, fmt.Errorf("gctune: /%s cannot be read at an offset", r.name)
	}
	n, err := at.ReadAt(buf, 0)
	if err != nil && err != io.EOF {
		r.close()
		return nil, fmt.Errorf("gctune: /%s: %w", r.name, err)
	}
	return buf[:n], nil
}

func (r *reader) close() {
	if r.file != nil {
		r.file.Close()
		r.file = nil
	}
}
