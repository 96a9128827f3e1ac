// Chat keeps four hundred connections open and answers a ping on each now and then.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync/atomic"
	"time"
)

var pings atomic.Int64

// serve answers the lines of one connection.
func serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		pings.Add(1)
		if _, err := fmt.Fprintf(conn, "pong %s", line); err != nil {
			return
		}
	}
}

// member is a client that stays.
func member(addr string, id int) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		log.Print(err)
		return
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		if _, err := fmt.Fprintf(conn, "ping %d\n", id); err != nil {
			return
		}
		if _, err := in.ReadString('\n'); err != nil {
			return
		}
		time.Sleep(time.Second + rand.N(2*time.Second))
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go serve(conn)
		}
	}()
	for id := range 400 {
		go member(l.Addr().String(), id)
	}
	log.Fatal(http.ListenAndServe(*addr, nil))
}
