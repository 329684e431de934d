package replica

import (
	"context"
	"slices"
)

// fewestCompared is how many rows of a table a conversation that goes on has at least where they are compared with those of the replica:
// fewer are sent again sooner.
const fewestCompared = 200

// findEqual finds out which tables have the same rows of conversations that go on. A message leaves the most of a large conversation as it
// was.
func (s *sender) findEqual(ctx context.Context, r *rowReader, now *shape, changes []groupChange) error {
	if s.deleted != 0 || s.extent.level == LevelMetrics {
		return nil
	}
	for i := range changes {
		c := &changes[i]
		if c.how != isAppended || c.known.rows-c.known.messages-c.known.parts < fewestCompared {
			continue
		}
		for _, t := range now.tables {
			if t.isMessage() {
				continue
			}
			isSame, err := s.hasSame(ctx, r, t, *c)
			if err != nil {
				return err
			}
			if isSame {
				c.equal = append(c.equal, t.name)
			}
		}
	}
	return nil
}

// hasSame reports whether the replica has the same rows of a table of a conversation as the file, and no column that can't hold its cell.
func (s *sender) hasSame(ctx context.Context, r *rowReader, t *tableShape, c groupChange) (bool, error) {
	var file, replica side
	for _, q := range t.queries([]groupChange{c}) {
		err := r.each(ctx, t, byBytes, q.where, q.args, func(row *readRow) error {
			file = side{file.rows + 1, file.digest.add(row.full)}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	if file.rows < fewestCompared {
		return false, nil
	}
	var hasOdd bool
	const query = `SELECT EXISTS (SELECT 1 FROM lcm.odd_cells WHERE source_id = $1 AND sync_group = $2 AND table_name = $3)
		OR EXISTS (SELECT 1 FROM lcm.other_rows WHERE source_id = $1 AND sync_group = $2 AND table_name = $3)`
	if _, err := s.conn.One(ctx, "read", query, []any{s.source, c.group, t.name}, &hasOdd); err != nil || hasOdd {
		return false, err
	}
	var hasher rowHasher
	err := eachReplicaRow(ctx, s.conn, s.source, t, &c.group, func(row *readRow) error {
		replica = side{replica.rows + 1, replica.digest.add(hasher.row(t, row.cells))}
		return nil
	})
	return file == replica, err
}

// withoutEqual returns the conversations of which rows of a table are sent, and those of which the replica has the same.
func withoutEqual(changes []groupChange, table string) (sent, equal []groupChange) {
	for _, c := range changes {
		if slices.Contains(c.equal, table) {
			equal = append(equal, c)
		} else {
			sent = append(sent, c)
		}
	}
	return sent, equal
}
