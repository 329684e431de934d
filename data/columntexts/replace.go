package columntexts

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// Replacement says what becomes of texts.
type Replacement struct {
	// Change returns the text that replaces a text, or the same text.
	Change func(text string) string
	// Tokens estimates the tokens of a text.
	Tokens func(text string) int64
	// Hash returns the identity hash of a message in place of one that it has, or the same one. nil
	// leaves all as they are.
	Hash func(m Message) string
	// Release reports whether a message whose text was replaced no longer names its entry of the transcript:
	// that has another text. nil leaves all as they are.
	Release func(m Message) bool
	// Reason is why pending batches become stale, in words for the host's log.
	Reason string

	images counterImages
}

// Message is a message whose text is replaced.
type Message struct {
	Conversation  int64
	Archived      bool // Its conversation is no active one.
	Role          string
	Before, After string // Its text.
	Hash          string // The identity hash that it has.
}

// Replaced is a cell whose text was replaced.
type Replaced struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	Key    string `json:"key"`
}

// Row replaces the texts of one row as it is now, and brings what depends on it into step: tokens,
// the counters of the summaries above, pending batches of its conversation. A search table is
// changed through its index. Texts that name something stay. It returns the cells that changed.
func (r *Replacement) Row(ctx context.Context, turn *change.Turn, t *Table, key []any) ([]Replaced, error) {
	changed, err := r.changedTexts(ctx, turn, t, key)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	cell := Cell{Table: t, Key: key}
	var out []Replaced
	for _, c := range changed {
		out = append(out, Replaced{t.Name, c.column, cell.KeyText()})
	}
	if err := r.write(ctx, turn, t, key, changed); err != nil {
		return nil, err
	}
	turn.Wrote(1)
	var columns []string
	for _, c := range changed {
		columns = append(columns, c.column)
		if c.column != "content" || t.Name != "messages" && t.Name != "summaries" {
			continue
		}
		if more := r.Tokens(c.after) - r.Tokens(c.before); more != 0 && turn.Schema().Has(t.Name, "token_count") {
			err = errors.Join(err, r.count(ctx, turn, t, key, more))
		}
		err = errors.Join(err, r.followMessage(ctx, turn, t, key, c))
	}
	return out, errors.Join(err, r.giveUp(ctx, turn, t, key, columns))
}

// changedText is a text and what replaces it.
type changedText struct {
	column        string
	before, after string
	blob          bool
}

func (r *Replacement) changedTexts(ctx context.Context, turn *change.Turn, t *Table, key []any) (out []changedText, err error) {
	values := make([]any, len(t.Columns))
	dest := make([]any, len(values))
	for i := range values {
		dest[i] = &values[i]
	}
	names := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		names = append(names, "+"+quote(c))
	}
	query := "SELECT " + strings.Join(names, ", ") + " FROM " + quote(t.Name) + " WHERE " + t.where()
	err = turn.EachRow(ctx, query, key, func(scan data.RowScanner) error {
		if err := scan(dest...); err != nil {
			return err
		}
		for i, column := range t.Columns {
			text, is := textOf(values[i])
			if !is || t.IsReference(column) {
				continue
			}
			_, blob := values[i].([]byte)
			if after := r.changeIn(t, key, column, text); after != text {
				out = append(out, changedText{column, text, after, blob})
			}
		}
		return nil
	})
	return out, err
}

// changeIn returns what a text of a table becomes. The images of rows in records follow the rows.
func (r *Replacement) changeIn(t *Table, key []any, column, text string) string {
	after := r.Change(text)
	if after != text && strings.HasPrefix(t.Name, "lcm_tui_undo") && column == "changes" {
		return r.imagesInStep(recordOf(t, key), text, after)
	}
	return after
}

// write updates the row; a row of a search table is updated through its index, where that works.
func (r *Replacement) write(ctx context.Context, turn *change.Turn, t *Table, key []any, changed []changedText) error {
	table, name := t.Name, func(column string) string { return column }
	if t.Search != "" && slices.Contains(turn.Schema().FTS, t.Search) {
		table, name = t.Search, t.searchColumn
	}
	sets := make([]string, 0, len(changed))
	args := make([]any, 0, len(changed)+len(key))
	for _, c := range changed {
		sets = append(sets, quote(name(c.column))+" = ?")
		if c.blob {
			args = append(args, []byte(c.after))
		} else {
			args = append(args, c.after)
		}
	}
	_, err := turn.Exec(ctx, "UPDATE "+quote(table)+" SET "+strings.Join(sets, ", ")+" WHERE "+t.where(), append(args, key...)...)
	return err
}

// above selects the summaries that were made, directly or not, from some summaries.
const above = `WITH RECURSIVE start(id) AS (%START%), up(id) AS (SELECT id FROM start UNION
	SELECT p.summary_id FROM summary_parents p JOIN up ON p.parent_summary_id = up.id) SELECT id FROM up`

// count adds tokens to a message or a summary and to the counters of the summaries above it.
func (r *Replacement) count(ctx context.Context, turn *change.Turn, t *Table, key []any, more int64) error {
	s := turn.Schema()
	where := t.where()
	if _, err := turn.Exec(ctx, "UPDATE "+quote(t.Name)+" SET token_count = max(1, token_count + ?) WHERE token_count > 0 AND "+where, append([]any{more}, key...)...); err != nil {
		return err
	}
	if !s.Has("summary_parents", "summary_id", "parent_summary_id") || !s.Has("summaries", "descendant_token_count", "source_message_token_count") {
		return nil
	}
	start, column := "SELECT summary_id FROM summary_messages WHERE message_id = (SELECT message_id FROM messages WHERE "+where+")", "source_message_token_count"
	if t.Name == "summaries" {
		start, column = "SELECT summary_id FROM summary_parents WHERE parent_summary_id = (SELECT summary_id FROM summaries WHERE "+where+")", "descendant_token_count"
	}
	upward := strings.Replace(above, "%START%", start, 1)
	query := "UPDATE summaries SET " + column + " = max(0, " + column + " + ?) WHERE " + column + " > 0 AND summary_id IN (" + upward + ")"
	if _, err := turn.Exec(ctx, query, append([]any{more}, key...)...); err != nil {
		return err
	}
	return r.images.note(ctx, turn, t, key, column, upward, more)
}

// followMessage gives a message the identity hash that goes with its new text, and takes its entry of the transcript from
// it, where that is wanted.
func (r *Replacement) followMessage(ctx context.Context, turn *change.Turn, t *Table, key []any, c changedText) error {
	s := turn.Schema()
	if t.Name != "messages" || !s.Has("messages", "identity_hash") || !s.Has("conversations", "active") {
		return nil
	}
	var role, hash data.Text
	var conv, active data.Integer
	query := "SELECT conversation_id, role, identity_hash, (SELECT active FROM conversations c WHERE c.conversation_id = messages.conversation_id) FROM messages WHERE " + t.where()
	err := turn.EachRow(ctx, query, key, func(scan data.RowScanner) error { return scan(&conv, &role, &hash, &active) })
	if err != nil {
		return err
	}
	m := Message{int64(conv), active == 0, string(role), c.before, c.after, string(hash)}
	if err := r.releaseEntry(ctx, turn, t, key, m); err != nil || hash == "" || r.Hash == nil {
		return err
	}
	other := r.Hash(m)
	if other == string(hash) {
		return nil
	}
	_, err = turn.Exec(ctx, "UPDATE messages SET identity_hash = ? WHERE "+t.where(), append([]any{other}, key...)...)
	return err
}
