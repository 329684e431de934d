package data

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"
)

// checkGuards fails with a StaleError if something isn't as the plan saw it.
func (t *tx) checkGuards(ctx context.Context, gs []Guard) error {
	for _, g := range gs {
		where, args := g.where()
		var n int64
		if err := t.QueryRowContext(ctx, "SELECT count(*) FROM "+QuoteName(g.Table)+where, args...).Scan(&n); err != nil {
			return fmt.Errorf("guard %s: %w", g.Table, err)
		}
		what := label(g.Table, g.Where.Columns(), g.Where)
		if n != g.Count {
			return &StaleError{What: what, Why: fmt.Sprintf("has %d rows where the plan saw %d", n, g.Count)}
		}
		if g.Digest == "" {
			continue
		}
		is, err := t.placesDigest(ctx, where, args)
		if err != nil {
			return fmt.Errorf("guard %s: %w", g.Table, err)
		}
		if is != g.Digest {
			return &StaleError{What: what, Why: "has other items than the plan saw"}
		}
	}
	return nil
}

func (g Guard) where() (string, []any) {
	where, args := whereSQL(g.Where)
	for _, column := range g.UpTo.Columns() {
		where, args = where+" AND "+QuoteName(column)+" <= ?", append(args, g.UpTo[column])
	}
	return where, args
}

// counts reports whether a new row is among those that the guard counts.
func (g Guard) counts(r Row) bool {
	for column, want := range g.Where {
		if !sameValue(r[column], want) {
			return false
		}
	}
	for column, most := range g.UpTo {
		if CellInteger(r[column]) > CellInteger(most) {
			return false
		}
	}
	return true
}

// GuardContext returns the guard of a context that was read: nothing has changed up to its
// last item. Items that a host appends after it don't make the plan stale.
func GuardContext(conv int64, items []ContextItem) Guard {
	g := Guard{Table: "context_items", Where: Row{"conversation_id": conv}, Count: int64(len(items))}
	if len(items) == 0 {
		return g
	}
	g.UpTo = Row{"ordinal": items[len(items)-1].Ordinal}
	h := sha256.New()
	for _, it := range items {
		addPlace(h, it.Ordinal, it.Message, it.Summary)
	}
	g.Digest = placesSum(h)
	return g
}

func (t *tx) placesDigest(ctx context.Context, where string, args []any) (string, error) {
	h := sha256.New()
	err := EachRow(ctx, t, "SELECT ordinal, message_id, summary_id FROM context_items"+where+" ORDER BY ordinal", args, func(scan RowScanner) error {
		var ordinal, message Integer
		var summary Text
		err := scan(&ordinal, &message, &summary)
		addPlace(h, int64(ordinal), int64(message), string(summary))
		return err
	})
	return placesSum(h), err
}

func addPlace(h hash.Hash, ordinal, message int64, summary string) {
	_, _ = fmt.Fprintf(h, "%d %d %q\n", ordinal, message, summary) // A hash takes everything.
}

func placesSum(h hash.Hash) string {
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:digestBytes])
}
