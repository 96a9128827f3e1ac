package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// day is the file of one day, in UTC.
type day struct {
	name   string // "2026-11-26.db"
	path   string
	db     *bbolt.DB
	blocks map[string]*block // name of the bucket → block
}

const (
	dayLayout = "2006-01-02"
	suffix    = ".db"
	// fileVersion changes when older programs could misread a file, or this one an older file.
	fileVersion = "2"
)

var versionBucket = []byte("heapwright")

// growth is the step in bytes by which a file grows. The default of bbolt, 16 MiB, is a
// day of a small fleet.
const growth = 256 << 10

// lockWait is how long to wait for another process that has the file open.
const lockWait = time.Second

func dayName(t time.Time) string { return t.UTC().Format(dayLayout) + suffix }

// dayOf returns the beginning of the day of a file, and false for other files.
func dayOf(name string) (time.Time, bool) {
	base, ok := strings.CutSuffix(name, suffix)
	if !ok {
		return time.Time{}, false
	}
	t, err := time.Parse(dayLayout, base)
	return t, err == nil
}

// openDay opens the file of a day, and makes it if it is not there.
func openDay(dir, name string) (*day, error) {
	d := &day{name: name, path: filepath.Join(dir, name), blocks: map[string]*block{}}
	err := guard(d.path, func() (err error) {
		if info, err := os.Lstat(d.path); err == nil && !info.Mode().IsRegular() {
			return errors.New("it is no regular file")
		}
		d.db, err = bbolt.Open(d.path, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
		if errors.Is(err, bolterrors.ErrTimeout) {
			return errors.New("another process has it open; stop that one, or give another folder")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	d.db.AllocSize = growth
	if err := d.update(checkVersion); err != nil {
		d.db.Close()
		return nil, err
	}
	return d, nil
}

func checkVersion(tx *bbolt.Tx) error {
	b := tx.Bucket(versionBucket)
	if b == nil {
		var err error
		if b, err = tx.CreateBucket(versionBucket); err != nil {
			return err
		}
		return b.Put([]byte("version"), []byte(fileVersion))
	}
	if v := string(b.Get([]byte("version"))); v != fileVersion {
		remedy := "update heapwright"
		if len(v) == len(fileVersion) && v < fileVersion {
			remedy = "move it away"
		}
		return fmt.Errorf("written as version %.20q, and this program reads %s: %s", v, fileVersion, remedy)
	}
	return nil
}

func (d *day) update(do func(*bbolt.Tx) error) error {
	return guard(d.path, func() error { return d.db.Update(do) })
}

func (d *day) view(do func(*bbolt.Tx) error) error {
	return guard(d.path, func() error { return d.db.View(do) })
}

// guard turns a panic into an error: bbolt panics on pages that make no sense, and a
// file that was cut off is memory that is not there.
func guard(path string, do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: damaged: %v; move it away, the other days stay readable", path, r)
		}
	}()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// bucketOf names the bucket of a block. Services sort together.
func bucketOf(service string, gen uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte("s"+service+"\x00"), gen)
}

// serviceOf is the inverse of bucketOf.
func serviceOf(bucket []byte) (service string, gen uint32, ok bool) {
	n := len(bucket) - 5
	if n < 1 || bucket[0] != 's' || bucket[n] != 0 {
		return "", 0, false
	}
	return string(bucket[1:n]), binary.BigEndian.Uint32(bucket[n+1:]), true
}

// block returns a block, which it reads if it is not in memory.
func (d *day) block(tx *bbolt.Tx, service string, gen uint32, maxBytes int64) (*block, *bbolt.Bucket, error) {
	name := bucketOf(service, gen)
	b := tx.Bucket(name)
	if k := d.blocks[string(name)]; k != nil {
		return k, b, nil
	}
	k, err := readBlock(service, gen, b, maxBytes)
	if err != nil {
		return nil, nil, err
	}
	d.blocks[string(name)] = k
	return k, b, nil
}

// generations returns how many blocks a service has.
func generations(tx *bbolt.Tx, service string) (n uint32) {
	for tx.Bucket(bucketOf(service, n)) != nil {
		n++
	}
	return n
}
