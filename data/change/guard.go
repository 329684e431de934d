package change

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// checkGuards fails with a StaleError if something isn't as the plan saw it.
func checkGuards(ctx context.Context, t *tx, gs []Guard) error {
	for _, g := range gs {
		where, args := g.where()
		var n int64
		if err := t.QueryRowContext(ctx, "SELECT count(*) FROM "+data.QuoteName(g.Table)+where, args...).Scan(&n); err != nil {
			return fmt.Errorf("guard %s: %w", g.Table, err)
		}
		what := data.Label(g.Table, g.Where.Columns(), g.Where)
		if n != g.Count {
			return &data.StaleError{What: what, Why: fmt.Sprintf("has %d rows where the plan saw %d", n, g.Count)}
		}
		if g.Digest == "" {
			continue
		}
		is, err := placesDigest(ctx, t, where, args)
		if err != nil {
			return fmt.Errorf("guard %s: %w", g.Table, err)
		}
		if is != g.Digest {
			return &data.StaleError{What: what, Why: "has other items than the plan saw"}
		}
	}
	return nil
}

func (g Guard) where() (string, []any) {
	where, args := data.WhereSQL(g.Where)
	for _, column := range g.UpTo.Columns() {
		where, args = where+" AND "+data.QuoteName(column)+" <= ?", append(args, g.UpTo[column])
	}
	return where, args
}

// counts reports whether a new row is among those that the guard counts.
func (g Guard) counts(r data.Row) bool {
	for column, want := range g.Where {
		if !data.SameValue(r[column], want) {
			return false
		}
	}
	for column, most := range g.UpTo {
		if data.CellInteger(r[column]) > data.CellInteger(most) {
			return false
		}
	}
	return true
}

// GuardContext returns the guard of a context that was read: nothing has changed up to its
// last item. Items that a host appends after it don't make the plan stale.
func GuardContext(conv int64, items []lcm.ContextItem) Guard {
	g := Guard{Table: "context_items", Where: data.Row{"conversation_id": conv}, Count: int64(len(items))}
	if len(items) == 0 {
		return g
	}
	g.UpTo = data.Row{"ordinal": items[len(items)-1].Ordinal}
	h := sha256.New()
	for _, it := range items {
		addPlace(h, it.Ordinal, it.Message, it.Summary)
	}
	g.Digest = placesSum(h)
	return g
}

func placesDigest(ctx context.Context, t *tx, where string, args []any) (string, error) {
	h := sha256.New()
	err := data.EachRow(ctx, t, "SELECT ordinal, message_id, summary_id FROM context_items"+where+" ORDER BY ordinal", args, func(scan data.RowScanner) error {
		var ordinal, message data.Integer
		var summary data.Text
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
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:lcm.DigestBytes])
}
