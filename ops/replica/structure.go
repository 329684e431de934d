package replica

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"lcm-tui/data"
)

// readStructure returns a text that is another one when a host migrated the file or this program changed rows: only
// then are old messages and parts rewritten in columns that no index has.
func readStructure(ctx context.Context, t *data.Tx) (string, error) {
	schema, err := data.Probe(ctx, t)
	if err != nil {
		return "", err
	}
	queries := []string{"SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name, sql"}
	if schema.Has("lcm_migration_state", "step_name", "algorithm_version") {
		queries = append(queries, "SELECT step_name, algorithm_version FROM lcm_migration_state ORDER BY 1, 2")
	}
	if schema.Has(recordTable, "id", "undone_at") {
		queries = append(queries, "SELECT max(id), count(undone_at) FROM "+recordTable)
	}
	h := sha256.New()
	for _, query := range queries {
		err := data.EachRow(ctx, t, query, nil, func(scan data.RowScanner) error {
			var a, b any
			err := scan(&a, &b)
			_, _ = fmt.Fprintf(h, "%v\x00%v\x00", a, b) // A hash takes everything.
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// estimate estimates the sizes of messages and parts whose texts weren't read, from the size of the file.
func (s *fileState) estimate(size int64) {
	if s.depth != byIndex {
		return
	}
	var rows int64
	for _, g := range s.groups {
		rows += g.rows
	}
	each := size / 2 / max(rows, 1) // Indexes and search tables take about half of a file.
	for _, g := range s.groups {
		g.bytes += (g.messages + g.parts) * each
	}
}
