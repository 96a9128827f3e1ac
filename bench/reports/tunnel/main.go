// Proxy tunnels connections of clients to one host behind a firewall.
package main

import (
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

// tunnel copies both ways until both sides have ended.
func tunnel(client *net.TCPConn, host string) {
	defer client.Close()
	conn, err := net.Dial("tcp", host)
	if err != nil {
		log.Print(err)
		return
	}
	up := conn.(*net.TCPConn)
	defer up.Close()
	sent := make(chan struct{})
	go func() {
		io.Copy(up, client)
		up.CloseWrite()
		close(sent)
	}()
	io.Copy(client, up)
	<-sent
}

func serve(l net.Listener, host string) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go tunnel(conn.(*net.TCPConn), host)
	}
}

// visit is a client that gives up after a while.
func visit(proxy string) error {
	conn, err := net.Dial("tcp", proxy)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "hello\n"); err != nil {
		return err
	}
	conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	_, err = conn.Read(make([]byte, 16))
	return err
}

// swallow accepts connections and never says anything.
func swallow(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	var kept []net.Conn
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		kept = append(kept, conn)
		if len(kept)%100 == 0 {
			log.Printf("%d connections", len(kept))
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	role := flag.String("role", "proxy", "proxy or firewall")
	upstream := flag.String("upstream", "", "address of the host")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	if *role == "firewall" {
		log.Fatal(swallow(*addr))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go serve(l, *upstream)
	go func() {
		for {
			visit(l.Addr().String())
			time.Sleep(20 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
