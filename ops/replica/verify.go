package replica

import (
	"cmp"
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/sorting"
)

// Verified is the outcome of comparing every cell.
type Verified struct {
	Source      string       `json:"source"`
	Replica     string       `json:"replica"`
	Rows        int64        `json:"rows"`  // Of the file.
	Cells       int64        `json:"cells"` // That aren't NULL.
	Odd         int64        `json:"odd_cells"`
	Differences []Difference `json:"differences"` // At most maxDifferences.
	// Different is how many pairs of a table and a conversation differ.
	Different int `json:"different"`

	groups []int64  // Conversations that differ.
	tables []string // Tables that differ.
}

// Difference is a table of a conversation that differs.
type Difference struct {
	Table        string `json:"table"`
	Conversation *int64 `json:"conversation_id"` // Nil for rows of none.
	File         int64  `json:"file_rows"`
	Replica      int64  `json:"replica_rows"`
}

// maxDifferences is how many differences are named.
const maxDifferences = 50

// side is the sum of the rows of a table of one conversation.
type side struct {
	rows   int64
	digest digest
}

// Verify compares every cell of a source with the file, value and storage class. It reads one state of each.
func Verify(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) (*Verified, error) {
	s, err := FindSource(ctx, conn, o.Source)
	if err != nil {
		return nil, err
	}
	if err := checkName(o.Source); err != nil {
		return nil, err
	}
	v := &Verified{Source: s.Name, Replica: conn.Place(), Differences: []Difference{}}
	if s.Level == LevelMetrics {
		return v, nil
	}
	e := extent{level: s.Level, filter: s.Filter}
	if s.Redacted {
		e.mask = o.Mask
	}
	err = conn.Snapshot(ctx, "read", func() error {
		return snapshot(ctx, db, "verify", compareCache, e, func(t *data.Tx, r *rowReader) error {
			now, err := readShapeOf(ctx, t, e)
			if err != nil {
				return err
			}
			all := append(append([]*tableShape{}, now.tables...), now.others...)
			for i, shape := range all {
				if o.Report != nil {
					o.Report(i, len(all), "comparing "+shape.name)
				}
				if err := v.table(ctx, conn, s.ID, r, shape); err != nil {
					return err
				}
			}
			return v.unknownRows(ctx, conn, s.ID, all)
		})
	})
	return v, err
}

// table compares one table. The file and the replica are read at the same time.
func (v *Verified) table(ctx context.Context, conn *postgres.Conn, source int64, r *rowReader, t *tableShape) error {
	file, replica := map[int64]side{}, map[int64]side{}
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error {
		var hasher rowHasher
		return eachReplicaRow(groupCtx, conn, source, t, nil, func(row *readRow) error {
			was := replica[row.group]
			replica[row.group] = side{was.rows + 1, was.digest.add(hasher.row(t, row.cells))}
			return nil
		})
	})
	group.Go(func() error {
		return r.each(groupCtx, t, byBytes, "", nil, func(row *readRow) error {
			v.Rows++
			for _, cell := range row.cells {
				if cell != nil {
					v.Cells++
				}
			}
			was := file[row.group]
			file[row.group] = side{was.rows + 1, was.digest.add(row.full)}
			return nil
		})
	})
	if err := group.Wait(); err != nil {
		return err
	}
	v.differ(t.name, file, replica)
	var odd int64
	_, err := conn.One(ctx, "read the odd cells of", "SELECT count(*) FROM lcm.odd_cells WHERE source_id = $1 AND table_name = $2", []any{source, t.name}, &odd)
	v.Odd += odd
	return err
}

// differ notes which conversations differ in a table.
func (v *Verified) differ(table string, file, replica map[int64]side) {
	var found []Difference
	note := func(group int64) {
		v.groups, v.tables = append(v.groups, group), append(v.tables, table)
		d := Difference{Table: table, File: file[group].rows, Replica: replica[group].rows}
		if group != noGroup {
			d.Conversation = &group
		}
		found = append(found, d)
	}
	for group, f := range file {
		if replica[group] != f {
			note(group)
		}
	}
	for group := range replica {
		if _, ok := file[group]; !ok {
			note(group)
		}
	}
	sorting.Stable(found, func(a, b *Difference) int { return cmp.Compare(groupOf(a), groupOf(b)) })
	v.Different += len(found)
	v.Differences = append(v.Differences, found[:min(len(found), maxDifferences-min(len(v.Differences), maxDifferences))]...)
}

// groupOf returns the group of a difference.
func groupOf(d *Difference) int64 {
	if d.Conversation == nil {
		return noGroup
	}
	return *d.Conversation
}

// unknownRows notes rows of tables that the file doesn't have.
func (v *Verified) unknownRows(ctx context.Context, conn *postgres.Conn, source int64, known []*tableShape) error {
	names := map[string]bool{}
	for _, t := range known {
		names[t.name] = true
	}
	for _, table := range tableNames() {
		var n int64
		if names[table] {
			continue
		}
		if _, err := conn.One(ctx, "read", "SELECT count(*) FROM lcm."+table+" WHERE source_id = $1", []any{source}, &n); err != nil {
			return err
		}
		if n > 0 {
			v.differ(table, nil, map[int64]side{noGroup: {rows: n}})
		}
	}
	return conn.Query(ctx, "read", "SELECT table_name, count(*) FROM lcm.other_rows WHERE source_id = $1 GROUP BY 1", []any{source}, func(scan postgres.Scanner) error {
		var name string
		var n int64
		err := scan(&name, &n)
		if err == nil && !names[name] {
			v.differ(name, nil, map[int64]side{noGroup: {rows: n}})
		}
		return err
	})
}

// Error returns the error of a replica that differs, or nil.
func (v *Verified) Error() error {
	if v.Different == 0 {
		return nil
	}
	return fmt.Errorf("the replica differs from the file in %d places", v.Different)
}
