// Package memsql is a database in memory, as a driver of database/sql. Every query
// returns the rows of one table.
package memsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
)

// Open returns a database whose table has rows of a name and a value.
func Open(rows [][2]string) *sql.DB { return sql.OpenDB(connector{rows}) }

type connector struct{ rows [][2]string }

func (c connector) Connect(context.Context) (driver.Conn, error) { return &conn{c.rows}, nil }
func (c connector) Driver() driver.Driver                        { return nil }

type conn struct{ rows [][2]string }

var errReadOnly = errors.New("the database is read-only")

func (c *conn) Prepare(string) (driver.Stmt, error) { return nil, errReadOnly }
func (c *conn) Begin() (driver.Tx, error)           { return nil, errReadOnly }
func (c *conn) Close() error                        { return nil }

func (c *conn) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return &rows{c.rows}, nil
}

type rows struct{ left [][2]string }

func (r *rows) Columns() []string { return []string{"name", "value"} }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if len(r.left) == 0 {
		return io.EOF
	}
	dest[0], dest[1] = r.left[0][0], r.left[0][1]
	r.left = r.left[1:]
	return nil
}
