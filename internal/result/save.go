package result

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/termtext"
)

// Save writes the document to path. A reader sees the old file or the new one,
// never a part, and a full disk leaves the old one as it was. Numbers that JSON cannot
// hold are left out as Finite says.
func Save(path string, doc *Document) error {
	return Replace(path, func(w io.Writer) error { return encode(w, doc) })
}

func encode(w io.Writer, doc *Document) error {
	out := Finite(doc)
	out.Schema = Schema
	return termtext.JSON(w, out)
}

// Replace writes a file by way of a new file beside it, which is renamed to path when
// write and the disk have both succeeded. A link at path is replaced, never followed.
func Replace(path string, write func(io.Writer) error) error {
	// Nobody can have planted a link at a name that nobody can predict.
	return place(path, path+"."+rand.Text()+".part", nil, write)
}

// Rewrite replaces the text of a file as Replace does. The file keeps its permissions
// and, as far as the system lets the caller, its owner.
func Rewrite(path string, text []byte) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return place(path, path+"."+rand.Text()+".part", info,
		func(w io.Writer) error { _, err := w.Write(text); return err })
}

// Create is Replace for a file that must not be there yet: an error of
// fs.ErrExist says that the name is taken, be it by a file or by another Create
// under way, in this process or any other, and nothing has been touched.
func Create(path string, write func(io.Writer) error) error {
	return place(path, path+".part", nil, func(w io.Writer) error {
		// The part claims the name. Who had it before us has renamed it, which
		// leaves no moment at which neither name is there.
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, fs.ErrExist)
		}
		return write(w)
	})
}

// Remove removes a file from an output folder that is Inside. It may be missing.
func Remove(path string) error {
	err := Inside(filepath.Dir(path))
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove %s: %w", path, err)
	}
	return nil
}

// place writes part, which is renamed to path. The file gets the owner and permissions of
// like; nil is a new file's.
func place(path, part string, like fs.FileInfo, write func(io.Writer) error) (err error) {
	if err := Inside(filepath.Dir(path)); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	mode := fs.FileMode(0o666)
	if like != nil {
		mode = like.Mode().Perm()
	}
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w; choose a folder that can be written", path, err)
	}
	ignore(filepath.Dir(path))
	defer func() {
		if err != nil {
			os.Remove(part) // best effort: the cause is already on its way
			err = fmt.Errorf("cannot write %s: %w", path, err)
		}
	}()
	if like != nil {
		// A new owner may clear bits, so Chmod comes later.
		own(f, like)
		err = f.Chmod(mode)
	}
	if ferr := fill(f, write); err == nil {
		err = ferr
	}
	if err != nil {
		return err
	}
	return os.Rename(part, path)
}

// fill writes to a file until the disk has it, and closes it.
func fill(f *os.File, write func(io.Writer) error) error {
	buf := bufio.NewWriterSize(f, 1<<16)
	err := write(buf)
	if err == nil {
		err = buf.Flush()
	}
	if err == nil {
		err = f.Sync() // a rename may reach the disk before the data
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
