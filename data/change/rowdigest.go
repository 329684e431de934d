package change

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Columns of a recorded row that replace its own: a digest beside the key; and, as stored,
// many rows of a table in one, as JSON [[key …, digest] …].
const (
	digestColumn = "$digest"
	rowsColumn   = "$rows"
)

// digestInserts returns the changes with inserted rows replaced by their keys and digests,
// those of one table together. Context items stay whole: their ordinals change, and an undo has
// to find them by what they stand for.
func digestInserts(cs []Change) ([]Change, error) {
	var out []Change
	at := map[string]int{} // By table.
	var rows [][]byte      // By change.
	for _, c := range cs {
		if c.Before != nil || c.After == nil || c.Table == "context_items" {
			out, rows = append(out, c), append(rows, nil)
			continue
		}
		i, ok := at[c.Table]
		if !ok {
			i = len(out)
			at[c.Table] = i
			out, rows = append(out, Change{Table: c.Table, Key: c.Key}), append(rows, []byte("["))
		}
		if _, ok := c.After[updatedAtColumn]; ok {
			c.After = without(c.After, updatedAtColumn)
		}
		b, err := appendDigest(rows[i], c)
		if err != nil {
			return nil, err
		}
		rows[i] = b
	}
	for i, b := range rows {
		if b != nil {
			out[i].After = data.Row{rowsColumn: string(append(b, ']'))}
		}
	}
	return out, nil
}

func appendDigest(b []byte, c Change) ([]byte, error) {
	if len(b) > 1 {
		b = append(b, ',')
	}
	b = append(b, '[')
	for _, k := range c.Key {
		v, err := json.Marshal(data.TaggedValue(c.After[k]))
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", c.Label(), err)
		}
		b = append(append(b, v...), ',')
	}
	digest, known := c.After[digestColumn].(string)
	if !known {
		digest = digestOf(c.After)
	}
	return append(append(append(b, '"'), digest...), '"', ']'), nil
}

// expandDigests returns the changes with one row each.
func expandDigests(cs []Change) ([]Change, error) {
	var out []Change
	for _, c := range cs {
		list, ok := c.After[rowsColumn].(string)
		if !ok {
			out = append(out, c)
			continue
		}
		var rows [][]json.RawMessage
		if err := json.Unmarshal([]byte(list), &rows); err != nil {
			return nil, fmt.Errorf("decode rows of %s: %w", c.Table, err)
		}
		for _, cells := range rows {
			r, err := digestRow(c.Key, cells)
			if err != nil {
				return nil, fmt.Errorf("decode row of %s: %w", c.Table, err)
			}
			out = append(out, Change{Table: c.Table, Key: c.Key, After: r})
		}
	}
	return out, nil
}

func digestRow(key []string, cells []json.RawMessage) (data.Row, error) {
	if len(cells) != len(key)+1 {
		return nil, fmt.Errorf("%d cells for a key of %d", len(cells), len(key))
	}
	names := append(slices.Clone(key), digestColumn)
	members := make(map[string]json.RawMessage, len(names))
	for i, n := range names {
		members[n] = cells[i]
	}
	b, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	var r data.Row
	return r, json.Unmarshal(b, &r)
}

// KeyOnly reports whether a record keeps only the key of the row that it added.
func (c Change) KeyOnly() bool { return isDigest(c.Before) || isDigest(c.After) }

// isDigest reports whether the row has only its key and its digest.
func isDigest(r data.Row) bool { return r[digestColumn] != nil }

// matches reports whether got, a whole row, is the row r, or the row whose digest r has.
func matches(r data.Row, got data.Row) bool {
	if isDigest(r) {
		return r[digestColumn] == digestOf(got)
	}
	return got.Equal(r)
}

// digest tells rows with other values, or values of other types, apart. NULLs don't count, so
// that a column that a newer version adds makes no difference.
func digestOf(r data.Row) string {
	h := sha256.New()
	var b []byte
	for _, c := range r.Columns() {
		v := r[c]
		if v == nil {
			continue
		}
		kind := byte('t')
		switch v.(type) {
		case int64:
			kind = 'i'
		case float64:
			kind = 'f'
		case []byte:
			kind = 'b'
		}
		s := data.CellText(v)
		b = append(append(b[:0], c...), kind)
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
		_, _ = h.Write(b) // A hash takes everything.
	}
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:lcm.DigestBytes])
}

// without returns a row without a column.
func without(r data.Row, column string) data.Row {
	return r.Pick(slices.DeleteFunc(r.Columns(), func(c string) bool { return c == column }))
}

// mayUnlink reports whether a change of an existing row may take something out of a context,
// or out of what a summary in it covers.
func mayUnlink(c Change) bool {
	if c.Before == nil || c.IsUnchanged() {
		return false
	}
	switch c.Table {
	case "context_items", "summary_messages", "summary_parents", "summaries", "messages":
		return true
	}
	return c.After == nil
}
