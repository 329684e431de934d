package data

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A row that is recorded briefly has these in place of all columns but its key's.
const (
	digestColumn  = "$digest"
	columnsColumn = "$columns"
)

// briefly are changes in which the rows that are inserted are told by their digests.
func briefly(cs []Change) []Change {
	out := make([]Change, len(cs))
	for i, c := range cs {
		if c.Before == nil && c.After != nil {
			brief := c.After.pick(c.Key)
			columns := c.After.Columns()
			brief[digestColumn], brief[columnsColumn] = c.After.digest(columns), strings.Join(columns, ",")
			c.After = brief
		}
		out[i] = c
	}
	return out
}

// described are the columns that a row tells of, itself or by its digest.
func (r Row) described() []string {
	if columns, ok := r[columnsColumn].(string); ok {
		return strings.Split(columns, ",")
	}
	return r.Columns()
}

// describes is whether got is the row that r is or tells of.
func (r Row) describes(got Row) bool {
	if digest, ok := r[digestColumn].(string); ok {
		return digest == got.digest(r.described())
	}
	return got.Equal(r)
}

// digest tells rows with other values, or values of other types, apart.
func (r Row) digest(columns []string) string {
	h := sha256.New()
	for _, c := range columns {
		s := asText(r[c])
		fmt.Fprintf(h, "%s %T %d:", c, r[c], len(s))
		_, _ = h.Write([]byte(s)) // A hash takes everything.
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// unlinks is whether a change may take something out of a context, or out from
// under what stands there.
func unlinks(c Change) bool {
	switch c.Table {
	case "context_items", "summary_messages", "summary_parents", "summaries", "messages":
		return true
	}
	return c.After == nil
}
