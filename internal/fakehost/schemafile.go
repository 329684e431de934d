package fakehost

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// emptyFiles has the bytes of a file without rows for each level that was asked for: making the tables takes
// longer than writing the file.
var emptyFiles sync.Map // Level → func() ([]byte, error)

// emptyFile returns the bytes of a file with the tables of a level.
func emptyFile(level Level) ([]byte, error) {
	read, _ := emptyFiles.LoadOrStore(level, sync.OnceValues(func() ([]byte, error) { return makeTables(level) }))
	return read.(func() ([]byte, error))()
}

// makeTables makes the tables of a level in memory and returns the bytes of the database.
func makeTables(level Level) (content []byte, err error) {
	steps, err := level.steps()
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", ":memory:?_pragma=foreign_keys(ON)")
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	defer db.Close()
	c, err := db.Conn(context.Background())
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	defer c.Close()
	h := &Writer{conn: c, stmts: map[string]*sql.Stmt{}}
	if err := h.Tx(func(h *Writer) error { return h.Script(steps...) }); err != nil {
		return nil, fmt.Errorf("create schema %s: %w", level, err)
	}
	err = c.Raw(func(conn any) error {
		content, err = conn.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return content, err
}
