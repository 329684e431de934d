// Package testhome gives tests homes: conversations that live in PostgreSQL. Only tests may import it.
package testhome

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/home"
	"lcm-tui/internal/testpostgres"
)

// New returns the address of an empty home. It is dropped at the end of the test.
func New(t testing.TB) (address string) {
	t.Helper()
	return testpostgres.Prepared(t, "home", func(ctx context.Context, address string) error {
		return connected(ctx, address, func(c *postgres.Conn) error {
			_, err := home.Initialize(ctx, c, "test")
			return err
		})
	})
}

// connected calls fn with a connection to the server of a home.
func connected(ctx context.Context, address string, fn func(*postgres.Conn) error) error {
	a, err := postgres.Parse(address)
	if err != nil {
		return err
	}
	c, err := a.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return fn(c)
}

// Open opens a home until the test ends.
func Open(t testing.TB, address string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// filledTables are the tables of a home, those that others refer to first.
var filledTables = []string{
	"conversations", "messages", "summaries", "message_parts", "summary_messages", "summary_parents", "context_items", "large_files",
	"conversation_bootstrap_state", "conversation_compaction_telemetry", "conversation_compaction_maintenance", "focus_briefs", "focus_brief_sources",
	"promoted", "lcm_tui_undo", "lcm_tui_undo_part", "lcm_tui_set_turn",
}

// Fill copies the rows of a file into an empty home.
func Fill(t testing.TB, address, path string) {
	t.Helper()
	if err := TryFill(t.Context(), address, path); err != nil {
		t.Fatal(err)
	}
}

// TryFill works as Fill, and returns why the home can't have rows of a damaged file.
func TryFill(ctx context.Context, address, path string) error {
	from, err := data.Open(ctx, path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := data.Open(ctx, address)
	if err != nil {
		return err
	}
	defer to.Close()
	err = to.Transact(ctx, data.Transaction{Verb: "fill"}, func(tx *data.Tx) error {
		for _, table := range filledTables {
			rows, err := data.Images(ctx, from, table, nil)
			if err != nil {
				return err
			}
			for chunk := range slices.Chunk(rows, 20) {
				if err := insert(ctx, tx, table, from.Schema().Columns(table), chunk); err != nil {
					return fmt.Errorf("%s: %w", table, err)
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return makeSearchable(ctx, address)
}

// makeSearchable makes all texts of a home searchable, as init does with a home that is older than the index.
func makeSearchable(ctx context.Context, address string) error {
	return connected(ctx, address, func(c *postgres.Conn) error {
		if err := c.Script(ctx, "INSERT INTO home.search_gaps SELECT conversation_id, -9223372036854775808 FROM home.conversations"); err != nil {
			return err
		}
		_, err := home.MakeSearchable(ctx, c, nil)
		return err
	})
}

// Clear deletes all rows of a home.
func Clear(t testing.TB, address string) {
	t.Helper()
	err := connected(t.Context(), address, func(c *postgres.Conn) error {
		return c.Script(t.Context(), "TRUNCATE home.search_docs, home.search_gaps, home."+strings.Join(filledTables, ", home.")+" RESTART IDENTITY")
	})
	if err != nil {
		t.Fatal(err)
	}
}

func insert(ctx context.Context, tx *data.Tx, table string, columns []string, rows []data.Row) error {
	var args []any
	for _, r := range rows {
		for _, c := range columns {
			args = append(args, r[c])
		}
	}
	one := "(" + data.Marks(len(columns)) + ")"
	_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO "+data.QuoteName(table)+" ("+data.QuoteAll(columns)+") VALUES "+one+strings.Repeat(", "+one, len(rows)-1), args...)
	return err
}

// Dump returns the rows of a file or a home, each as JSON, by tables in the order of their keys, without this program's records.
func Dump(t testing.TB, db *data.DB) string {
	t.Helper()
	var b strings.Builder
	for _, table := range filledTables {
		if strings.HasPrefix(table, "lcm_tui_") {
			continue
		}
		rows, err := data.Images(t.Context(), db, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			maps.DeleteFunc(r, func(_ string, v any) bool { return v == nil })
			text, err := r.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %s\n", table, text)
		}
	}
	return b.String()
}
