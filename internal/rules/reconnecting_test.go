package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const clients = `package main

import (
	"database/sql"
	"net/http"
)

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConns: 100}}
}

func price(db *sql.DB) *sql.Row {
	return db.QueryRow("SELECT 1")
}

func main() {}
`

const settled = `package main

import (
	"database/sql"
	"net/http"
)

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
}

func open(db *sql.DB) { db.SetMaxIdleConns(0) }

func price(db *sql.DB) *sql.Row {
	return db.QueryRow("SELECT 1")
}

func main() {}
`

func TestReconnecting(t *testing.T) {
	dial := "syscall.connect@/go/src/syscall/c.go:1 net.(*Dialer).DialContext@/go/src/net/dial.go:1 net/http.(*Transport).dialConn@/go/src/net/http/transport.go:1 runtime.goexit@/go/src/runtime/asm.s:1"
	login := "crypto/pbkdf2.Key@/go/src/crypto/pbkdf2/p.go:1 github.com/lib/pq.(*Connector).Connect@/mod/github.com/lib/pq@v1.10.9/c.go:1 database/sql.(*DB).conn@/go/src/database/sql/sql.go:1 database/sql.(*DB).QueryRow@/go/src/database/sql/sql.go:2 "
	t.Run("HTTP", func(t *testing.T) {
		s := newScene(t, clients)
		s.cpu = profiletest.NewCPU().CPU(30, dial).CPU(70, start)
		has(t, s.wants("reconnecting", "http.Transport{").Remedy, "MaxIdleConnsPerHost")
	})
	t.Run("a database", func(t *testing.T) {
		s := newScene(t, clients)
		s.cpu = profiletest.NewCPU().CPU(60, login+s.frame("price", "QueryRow")+start).CPU(40, start)
		has(t, s.wants("reconnecting", "db.QueryRow").Remedy, "SetMaxIdleConns")
	})
	t.Run("a setting", func(t *testing.T) {
		s := newScene(t, settled)
		s.churn("database/sql.(*DB).QueryRow", s.frame("price", "QueryRow"))
		s.cpu = profiletest.NewCPU().CPU(60, login+s.frame("price", "QueryRow")+start).CPU(40, start)
		s.wants("reconnecting", "SetMaxIdleConns(0)")
	})
	t.Run("seldom", func(t *testing.T) {
		s := newScene(t, clients)
		s.cpu = profiletest.NewCPU().CPU(10, dial).CPU(90, start)
		s.wantsNone("reconnecting")
	})
}
