package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
)

// lockName is the file that a run keeps locked in its output folder. The go command
// and go:embed pass over names with a leading dot.
const lockName = ".heapwright.lock"

// claims has the absolute paths of the folders that this process has claimed, for Inside.
var claims sync.Map

// Lock keeps other runs out of an output folder.
type Lock struct {
	Note string // why another run is not kept out; "" if it is

	dir  string
	abs  string   // the key in claims
	file *os.File // open and locked; nil if the file system cannot lock
	made bool     // Claim has made the folder
}

// owner is the run that has claimed a folder, as the lock file names it.
type owner struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Command []string  `json:"command"` // without the program's name
	Started time.Time `json:"started"`
}

// errLocked is the error of lock for a file that another process has locked.
var errLocked = errors.New("locked")

// Claim makes an output folder, as MakeRoom does, and keeps other runs out of it until
// Release: the files of two runs would belong to different measurements. The system
// holds the lock for the process, so none is left when the process is killed. The error
// names the run that has the folder, and the flag that chooses another one.
func Claim(dir, flag string, command []string) (*Lock, error) {
	return claim(dir, flag, command, lock)
}

func claim(dir, flag string, command []string, lock func(*os.File) error) (*Lock, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	_, err = os.Lstat(dir)
	c := &Lock{dir: dir, abs: abs, made: errors.Is(err, fs.ErrNotExist)}
	// A failed attempt means that another run has just claimed or released the folder,
	// and may have removed it. If it does so while os.MkdirAll looks, that returns
	// fs.ErrExist.
	for range 100 {
		if err = MakeRoom(dir, flag); errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		held, err := c.attempt(command, lock)
		switch {
		case errors.Is(err, errLocked):
			return nil, fmt.Errorf(
				"the output folder %s is in use by %s; wait until it ends, or give another folder with %s",
				dir, held, flag)
		case err != nil:
			return nil, fmt.Errorf("cannot claim the output folder: %w; give another with %s", err, flag)
		case c.file != nil || c.Note != "":
			claims.Store(abs, nil)
			return c, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf(
		"the output folder %s is in use by other runs; wait until they end, or give another folder with %s", dir, flag)
}

// attempt tries once to lock the folder. If another run has, it names that run with
// errLocked. If neither is so, the next attempt may succeed.
//
// Only a file that attempt has made is ever written: one that is there already may be
// somebody else's. The lock counts only while the locked file is the one in the folder.
func (c *Lock) attempt(command []string, lock func(*os.File) error) (held string, err error) {
	path := filepath.Join(c.dir, lockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	made := err == nil
	if errors.Is(err, fs.ErrExist) {
		f, err = openLock(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // released meanwhile
		return "", nil
	case err != nil:
		return "", err
	}
	switch err := lock(f); {
	case errors.Is(err, errLocked) && made: // another run takes the new file for a leftover
		f.Close()
		return "", nil
	case errors.Is(err, errLocked):
		defer f.Close()
		return ownerOf(f), err
	case err != nil:
		discard(f, path)
		c.Note = fmt.Sprintf(
			"files in %s cannot be locked (%v), so another run is not kept out of it: run one at a time there",
			c.dir, err)
		return "", nil
	}
	// Another run may have removed the file between opening and locking it.
	if now, err := os.Lstat(path); err != nil || !sameFile(f, now) {
		f.Close()
		return "", nil
	}
	if !made { // the owner has been killed
		discard(f, path)
		return "", nil
	}
	host, _ := os.Hostname() // without a name it is still a process
	if err := json.NewEncoder(f).Encode(owner{PID: os.Getpid(), Host: host, Command: command,
		Started: time.Now()}); err != nil {
		discard(f, path)
		return "", err
	}
	c.file = f
	return "", nil
}

// openLock opens a lock file that is there, for reading if it is another user's. It
// follows no link, which may have come with somebody else's repository.
func openLock(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file; remove it", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(path)
	}
	return f, err
}

func sameFile(f *os.File, there fs.FileInfo) bool {
	mine, err := f.Stat()
	return err == nil && os.SameFile(mine, there)
}

// ownerOf describes the owner of a lock. It may just have begun to write its name.
func ownerOf(f *os.File) string {
	var o owner
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<16))
	if err != nil || json.Unmarshal(data, &o) != nil {
		return "another process"
	}
	return fmt.Sprintf("process %d on %s since %s (%s)", o.PID, o.Host, o.Started.Format("2006-01-02 15:04:05 MST"),
		mode.CommandLine(nil, "heapwright", o.Command...))
}

// discard removes a locked file before another run can lock it. Windows removes no file
// that is open, and so none that another run has locked.
func discard(f *os.File, path string) {
	if runtime.GOOS != "windows" {
		os.Remove(path)
	}
	f.Close()
	if runtime.GOOS == "windows" {
		os.Remove(path)
	}
}

// Release lets other runs have the folder. A folder that Claim made and that stayed
// empty is removed.
func (c *Lock) Release() {
	claims.Delete(c.abs)
	if c.made {
		c.removeEmpty()
	}
	if c.file != nil {
		discard(c.file, filepath.Join(c.dir, lockName))
	}
	if c.made {
		os.Remove(c.dir) // fails if something is in it
	}
}

// removeEmpty removes the file that ignore wrote if it is alone with the lock.
func (c *Lock) removeEmpty() {
	entries, err := os.ReadDir(c.dir)
	for _, e := range entries {
		if e.Name() != lockName && e.Name() != ignoreName {
			return
		}
	}
	if err == nil && filepath.Clean(c.dir) == outFolder {
		os.Remove(filepath.Join(c.dir, ignoreName))
	}
}
