package data

// SummaryRow is a summary as it stands, or would stand, in the table: the columns
// that this file has.
func (db *DB) SummaryRow(s Summary) Row {
	r := Row{}
	for column, v := range map[string]any{
		"summary_id": s.ID, "conversation_id": s.Conversation, "kind": s.Kind, "depth": s.Depth, "content": s.Content,
		"token_count": s.Tokens, "earliest_at": s.EarliestAt.value(), "latest_at": s.LatestAt.value(),
		"descendant_count": s.Descendants, "descendant_token_count": s.DescendantTokens,
		"source_message_token_count": s.SourceTokens, "created_at": s.CreatedAt.value(), "file_ids": s.FileIDs, "model": s.Model,
	} {
		if db.schema.Has("summaries", column) {
			r[column] = v
		}
	}
	return r
}

// value is the time as a cell.
func (t Time) value() any {
	if t.Raw == "" {
		return nil
	}
	return t.Raw
}

// Insert is the change that adds a row.
func (db *DB) Insert(table string, r Row) Change {
	return Change{Table: table, Key: db.schema.Key(table), After: r}
}

// Update is the change of some columns of a row, given whole.
func (db *DB) Update(table string, r, columns Row) Change {
	after := make(Row, len(r))
	for k, v := range r {
		after[k] = v
	}
	for k, v := range columns {
		if db.schema.Has(table, k) {
			after[k] = v
		}
	}
	return Change{Table: table, Key: db.schema.Key(table), Before: r, After: after}
}
