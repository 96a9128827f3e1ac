// Repo reads the control files of packages in a repository, to make its index.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"
)

// open returns the member of a package.
func open(pkg []byte) (io.ReadCloser, error) {
	r, err := zstd.NewReader(struct{ io.Reader }{bytes.NewReader(pkg)})
	if err != nil {
		return nil, err
	}
	return io.NopCloser(r), nil
}

// control returns the first bytes of the member, which hold the control file.
func control(pkg []byte) ([]byte, error) {
	member, err := open(pkg)
	if err != nil {
		return nil, err
	}
	defer member.Close()
	head := make([]byte, 512)
	if _, err := io.ReadFull(member, head); err != nil {
		return nil, fmt.Errorf("control file: %w", err)
	}
	return head, nil
}

// pack makes a package of about half a megabyte.
func pack() ([]byte, error) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(128<<10))
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 128 << 10 {
		if err := binary.Write(w, binary.LittleEndian, r.Uint32()); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), w.Close()
}

var read atomic.Int64

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	pkg, err := pack()
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			if head, err := control(pkg); err != nil {
				log.Print(err)
			} else {
				read.Add(int64(len(head)))
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
