package collect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// maxSame is how many files of one service, type and second get different numbers. A
// cron job makes one.
const maxSame = 1000

// store saves under a name of service, type and UTC time that nothing has yet and
// returns it. Other processes may store into the folder at the same time.
func (c *collector) store(k kind, at time.Time, write func(io.Writer) error) (string, error) {
	if err := result.Make(c.plan.Dir); err != nil { // here: without an answer there is nothing to keep
		return "", err
	}
	stem := fmt.Sprintf("%s-%s-%s", c.plan.Service, k.name, at.UTC().Format("20060102T150405Z"))
	name := stem + k.ext
	for n := 2; ; n++ {
		err := result.Create(filepath.Join(c.plan.Dir, name), write)
		if err == nil || !errors.Is(err, fs.ErrExist) || n > maxSame {
			return name, err
		}
		name = fmt.Sprintf("%s-%d%s", stem, n, k.ext)
	}
}

// saveDocument saves the document under a name of its own, and as result.json,
// which is of the last collection that ended in the folder.
func (c *collector) saveDocument() error {
	write := func(w io.Writer) error { return termtext.JSON(w, c.doc) }
	if _, err := c.store(kind{name: "result", ext: ".json"}, c.doc.Started, write); err != nil {
		return err
	}
	return result.Replace(filepath.Join(c.plan.Dir, DocumentFile), write)
}
