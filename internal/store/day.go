package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
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

// openDay opens the file of a day, and makes it if it is not there. On a disk that cannot be
// written the day can be read.
func openDay(dir, name string) (*day, error) {
	d := &day{name: name, path: filepath.Join(dir, name), blocks: map[string]*block{}}
	fresh := false
	err := guard(d.path, func() error {
		info, err := os.Lstat(d.path)
		if fresh = errors.Is(err, fs.ErrNotExist); err == nil && !info.Mode().IsRegular() {
			return errors.New("it is no regular file")
		}
		opts := bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType}
		d.db, err = bbolt.Open(d.path, 0o600, &opts)
		if errors.Is(err, syscall.EROFS) && !fresh {
			opts.ReadOnly = true
			d.db, err = bbolt.Open(d.path, 0, &opts)
		}
		if errors.Is(err, bolterrors.ErrTimeout) {
			return errors.New("another process has it open; stop that one, or give another folder")
		}
		if system := syscall.Errno(0); err != nil && !errors.As(err, &system) {
			return fmt.Errorf("%w: %w", errBroken, err)
		}
		return err
	})
	if err == nil {
		d.db.AllocSize = growth
		if err = d.checkVersion(); err != nil {
			d.db.Close()
		}
	}
	if err != nil && fresh {
		os.Remove(d.path) // a beginning of a file is no day, and would never be one
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// checkVersion compares the version of the file, and writes it to a new one.
func (d *day) checkVersion() error {
	fresh := false
	err := d.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket(versionBucket)
		if fresh = b == nil; fresh {
			return nil
		}
		return sameVersion(string(b.Get([]byte("version"))))
	})
	if err != nil || !fresh {
		return err
	}
	return d.update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket(versionBucket)
		if err != nil {
			return err
		}
		return b.Put([]byte("version"), []byte(fileVersion))
	})
}

func sameVersion(v string) error {
	if v != fileVersion {
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
			err = fmt.Errorf("%s: %w: %v; move it away, the other days stay readable", path, errBroken, r)
		}
	}()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", path, OnDisk(err))
	}
	return nil
}

// errBroken is wrapped by the error of a file that cannot be opened or read as one of bbolt.
var errBroken = errors.New("damaged")

// ErrDisk is wrapped by the error of a disk that is full or cannot be written.
var ErrDisk = errors.New("no profile can be kept")

// OnDisk adds ErrDisk to the errors of a disk that is full or cannot be written.
func OnDisk(err error) error {
	for _, why := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, bolterrors.ErrDatabaseReadOnly} {
		if errors.Is(err, why) && !errors.Is(err, ErrDisk) {
			return fmt.Errorf("%w: %w", ErrDisk, err)
		}
	}
	return err
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
