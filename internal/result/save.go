package result

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Save writes the document to path. A reader sees the old file or the new one,
// never a part, and a full disk leaves the old one as it was. What JSON cannot
// hold is left out as Finite says.
func Save(path string, doc *Document) error {
	return Replace(path, func(w io.Writer) error { return encode(w, doc) })
}

func encode(w io.Writer, doc *Document) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // the file is read by people, too
	enc.SetIndent("", " ")
	out := Finite(doc)
	out.Schema = Schema
	return enc.Encode(out)
}

// Replace writes a file by way of path+".part", which is renamed to path when
// write and the disk have both succeeded.
func Replace(path string, write func(io.Writer) error) (err error) {
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w; choose a folder that can be written", path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(part) // best effort: the cause is already on its way
			err = fmt.Errorf("cannot write %s: %w", path, err)
		}
	}()
	buf := bufio.NewWriterSize(f, 1<<16)
	if err = write(buf); err == nil {
		err = buf.Flush()
	}
	if err == nil {
		err = f.Sync() // a rename may reach the disk before the data
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(part, path)
}
