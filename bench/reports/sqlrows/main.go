// Flex reads settings from a database for each of its integrations.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/heapwright/heapwright/bench/reports/sqlrows/memsql"
)

var errDisabled = errors.New("the integration is disabled")

type settings struct{ db *sql.DB }

// interval returns how often an integration runs.
func (s *settings) interval(ctx context.Context, name string) (int, error) {
	rows, err := s.db.QueryContext(ctx, "select name, value from settings")
	if err != nil {
		return 0, err
	}
	found := 0
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return 0, err
		}
		if key != name {
			continue
		}
		if value == "off" {
			return 0, errDisabled
		}
		if found, err = strconv.Atoi(value); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
	}
	return found, rows.Err()
}

var ran, skipped atomic.Int64

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	var table [][2]string
	for i := range 40 {
		value := strconv.Itoa(10 + i)
		if i%20 == 19 {
			value = "off"
		}
		table = append(table, [2]string{fmt.Sprintf("integration-%d", i), value})
	}
	s := &settings{db: memsql.Open(table)}
	s.db.SetMaxOpenConns(25)
	go func() {
		for i := 0; ; i++ {
			go func() {
				name := fmt.Sprintf("integration-%d", i%len(table))
				switch _, err := s.interval(context.Background(), name); {
				case errors.Is(err, errDisabled):
					skipped.Add(1)
				case err != nil:
					log.Print(err)
				default:
					ran.Add(1)
				}
			}()
			time.Sleep(10 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
