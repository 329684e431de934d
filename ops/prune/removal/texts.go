package removal

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// TextRule says which texts of a conversation are forgotten.
type TextRule struct {
	Conversation int64
	// Before is the time before which the messages were written; zero is any time.
	Before time.Time
	// KeepNewest are how many of the newest messages stay.
	KeepNewest int64
	// Covered takes only messages under a summary that the context leads to; CoveredByAny also
	// those under any other summary.
	Covered, CoveredByAny bool
	// Marked are the summaries that carry a marker of the host: what they were made of stays.
	Marked []string
	// Payloads are the least bytes of a tool's output, or of any message with inline media, that
	// is forgotten; 0 is every text.
	Payloads int64
	// InContext takes also messages that stand in the context.
	InContext bool
	// Only are the messages of which some are taken; nil are all.
	Only []int64
	// KeepUser leaves what users said.
	KeepUser bool
	// Anchors is what stays so that a host of 1.0 finds its place in the transcript again; nil in other
	// files, and where the conversation is over.
	Anchors *AnchorRule
}

// AnchorRule says which rows of a conversation stay because a host of 1.0 finds its place by them.
type AnchorRule struct {
	Before    int64   // Only messages with a lower seq are pruned.
	Newest    []int64 // The messages behind it that vouch for their entries: each turn looks whether they still do.
	Mileposts []int64 // Messages before it that stay.
}

// all returns the statement that selects the messages of the rule, with its arguments.
func (r TextRule) all() (query string, args []any) {
	if r.Only != nil {
		return listedTextsSQL, r.args(r.Only)
	}
	return allTextsSQL, r.args(nil)
}

// textsSQL selects the messages of a rule. ?1 is the conversation, ?2 the marked summaries, ?3 the
// time, ?4 how many stay, ?5 whether they have to be covered from the context and ?6 by any
// summary, ?7 the least bytes of a payload, ?8 whether they may be in the context, ?9 the seq before which they stand, ?10
// messages that stay, ?11 whether what users said stays, and ?12 a list of messages. A payload may be in a part alone: the content has no encoded media and no results that
// a tool returned as a block.
const textsSQL = `WITH RECURSIVE
	below(id) AS (SELECT summary_id FROM context_items WHERE conversation_id = ?1 AND summary_id IS NOT NULL
		UNION SELECT p.parent_summary_id FROM below CROSS JOIN summary_parents p ON p.summary_id = below.id),
	marked(id) AS (SELECT value FROM json_each(?2)
		UNION SELECT p.parent_summary_id FROM marked CROSS JOIN summary_parents p ON p.summary_id = marked.id)
	SELECT m.message_id, m.seq, m.role, m.created_at, octet_length(m.content), CASE WHEN instr(m.content, 'file_') > 0 THEN m.content END
	FROM % m
	WHERE m.conversation_id = ?1
	AND m.seq <= (SELECT max(seq) FROM messages WHERE conversation_id = ?1) - ?4
	AND (?3 IS NULL OR coalesce(julianday(m.created_at), (SELECT julianday(c.created_at) FROM conversations c WHERE c.conversation_id = ?1)) < julianday(?3))
	AND (?7 = 0 OR substr(m.content, 1, 5) <> '[LCM ' AND (m.role = 'tool' AND octet_length(m.content) >= ?7
		OR octet_length(m.content) >= min(?7, 1024) AND instr(m.content, ';base64,') > 0
		OR EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id AND octet_length(p.metadata) >= min(?7, 1024)
			AND (instr(p.metadata, ';base64,') > 0 OR m.role = 'tool' AND p.part_type = 'tool'
				AND max(octet_length(p.metadata), ifnull(octet_length(p.tool_output), 0)) >= ?7))))
	AND substr(m.content, 1, length('` + data.ForgottenPrefix + `')) <> '` + data.ForgottenPrefix + `'
	AND (?9 IS NULL OR m.seq < ?9) AND m.message_id NOT IN (SELECT value FROM json_each(?10)) AND (?11 = 0 OR m.role <> 'user')
	AND (?8 OR m.message_id NOT IN (SELECT message_id FROM context_items WHERE conversation_id = ?1 AND message_id IS NOT NULL))
	AND (?5 = 0 OR EXISTS (SELECT 1 FROM summary_messages l WHERE l.message_id = m.message_id AND l.summary_id IN (SELECT id FROM below)))
	AND (?6 = 0 OR EXISTS (SELECT 1 FROM summary_messages l WHERE l.message_id = m.message_id))
	AND NOT EXISTS (SELECT 1 FROM summary_messages l WHERE l.message_id = m.message_id AND l.summary_id IN (SELECT id FROM marked))
	ORDER BY m.seq, m.message_id`

// allTextsSQL selects all messages of a rule, and listedTextsSQL those of a list.
var (
	allTextsSQL    = strings.Replace(textsSQL, "% m", "messages m", 1)
	listedTextsSQL = strings.Replace(textsSQL, "% m", "json_each(?12) j CROSS JOIN messages m ON m.message_id = j.value", 1)
)

// args returns the arguments of textsSQL for these messages, or for all where there are none.
func (r TextRule) args(messages []int64) []any {
	bit := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	marked, err := json.Marshal(append([]string{}, r.Marked...))
	if err != nil {
		marked = []byte("[]") // Texts are always written.
	}
	var before any
	if !r.Before.IsZero() {
		before = data.FormatTimeMillis(r.Before.UTC())
	}
	var cut any
	kept := "[]"
	if r.Anchors != nil {
		cut, kept = r.Anchors.Before, list(r.Anchors.Mileposts)
	}
	args := []any{r.Conversation, string(marked), before, r.KeepNewest, bit(r.Covered), bit(r.CoveredByAny), r.Payloads, bit(r.InContext), cut, kept, bit(r.KeepUser)}
	if messages != nil {
		args = append(args, list(messages))
	}
	return args
}

// text is a message whose text may be forgotten.
type text struct {
	message, seq int64
	role         string
	at           data.Time
	bytes        int64
	files        []string
}

// stub returns the text that takes its place.
func (m text) stub() string {
	return data.ForgottenText(m.role, m.seq, m.at.Time, m.bytes, m.files)
}

// scanText reads a row of textsSQL.
func scanText(scan data.RowScanner) (m text, err error) {
	var id, seq, bytes data.Integer
	var role, named data.Text
	err = scan(&id, &seq, &role, &m.at, &bytes, &named)
	m.message, m.seq, m.role, m.bytes = int64(id), int64(seq), string(role), int64(bytes)
	m.files = lcm.MentionedFiles(string(named))
	return m, err
}

// TextAmounts is what forgetting texts takes out of the tables.
type TextAmounts struct {
	Messages, Parts, Search Amount
}

// Texts finds the messages of a rule, and what forgetting their texts takes out of the file.
// Messages of which another conversation's context holds the row stay: shared has them.
func Texts(ctx context.Context, db *data.DB, r TextRule, shared map[int64]bool) (ids []int64, a TextAmounts, err error) {
	query, args := r.all()
	err = db.EachRow(ctx, "read messages", query, args, func(scan data.RowScanner) error {
		m, err := scanText(scan)
		if err != nil || shared[m.message] {
			return err
		}
		ids = append(ids, m.message)
		a.Messages.Rows++
		a.Messages.Bytes += m.bytes - int64(len(m.stub()))
		a.Parts.Bytes -= int64(len(m.stub())) // In the text of its first part.
		return nil
	})
	for at := 0; at < len(ids) && err == nil; at += change.MaxTurnRows {
		err = a.addParts(ctx, db, ids[at:min(len(ids), at+change.MaxTurnRows)])
	}
	return ids, a, err
}

// AddReference adds a message whose payloads move into files.
func (a *TextAmounts) AddReference(m *lcm.RawMessage, ref Reference) {
	size := func(text any) int64 { return int64(len(data.CellText(text))) }
	a.Messages.Rows++
	a.Messages.Bytes += int64(len(m.Content.Text) - len(ref.Content))
	a.Parts.Rows += int64(len(m.Parts))
	a.Parts.Bytes += partBytes(m.Parts) - partBytes(ref.Parts)
	a.Search.Bytes += size(data.IndexedText(data.MessageIndex, m.Content.Text)) - size(data.IndexedText(data.MessageIndex, ref.Content))
}

// partBytes returns the bytes of the texts of parts.
func partBytes(parts []lcm.RawPart) (n int64) {
	for _, p := range parts {
		n += int64(len(p.Text.Text) + len(p.ToolInput.Text) + len(p.ToolOutput.Text) + len(p.Metadata.Text))
	}
	return n
}

// addParts adds the parts and the search rows of messages.
func (a *TextAmounts) addParts(ctx context.Context, db *data.DB, ids []int64) error {
	s := db.Schema()
	columns := forgottenColumns(s)
	sum := "0"
	for _, c := range columns {
		sum += " + ifnull(octet_length(" + c + "), 0)"
	}
	query := "SELECT " + sum + ", metadata FROM message_parts WHERE message_id IN (SELECT value FROM json_each(?))"
	err := db.EachRow(ctx, "read parts", query, []any{list(ids)}, func(scan data.RowScanner) error {
		var bytes data.Integer
		var metadata any
		err := scan(&bytes, &metadata)
		a.Parts.Rows++
		a.Parts.Bytes += int64(bytes) + int64(len(data.CellText(metadata))) - int64(len(data.CellText(reducedMetadata(metadata))))
		return err
	})
	if err != nil || !s.Searchable(data.MessageIndex) {
		return err
	}
	const search = "SELECT count(*), sum(octet_length(c0)) FROM messages_fts_content WHERE id IN (SELECT value FROM json_each(?))"
	return db.EachRow(ctx, "read search table", search, []any{list(ids)}, func(scan data.RowScanner) error {
		var rows, bytes data.Integer
		err := scan(&rows, &bytes)
		a.Search.Rows, a.Search.Bytes = a.Search.Rows+int64(rows), a.Search.Bytes+int64(bytes)
		return err
	})
}

// forgottenColumns returns the columns of a part that hold texts, but for metadata.
func forgottenColumns(s *data.Schema) (out []string) {
	for _, c := range []string{
		"text_content", "tool_input", "tool_output", "tool_error", "tool_title", "patch_files", "file_url", "subtask_prompt", "subtask_desc",
	} {
		if s.Has("message_parts", c) {
			out = append(out, c)
		}
	}
	return out
}

// SharedMessages returns the messages that stand in the context of another conversation.
func SharedMessages(ctx context.Context, db *data.DB) (map[int64]bool, error) {
	out := map[int64]bool{}
	const query = `SELECT i.message_id FROM context_items i JOIN messages m ON m.message_id = i.message_id WHERE m.conversation_id <> i.conversation_id`
	err := db.EachRow(ctx, "read contexts", query, nil, func(scan data.RowScanner) error {
		var id data.Integer
		err := scan(&id)
		out[int64(id)] = true
		return err
	})
	return out, err
}

// NamesEntries reports whether the newest 50 messages of a conversation name the entries of a
// transcript: a host knows them again by that when it reads one.
func NamesEntries(ctx context.Context, db *data.DB, conv int64) (bool, error) {
	if !db.Schema().Has("messages", "transcript_entry_id") {
		return false, nil
	}
	var all, named data.Integer
	const query = `SELECT count(*), count(nullif(transcript_entry_id, '')) FROM (SELECT transcript_entry_id FROM messages WHERE conversation_id = ? ORDER BY seq DESC LIMIT 50)`
	err := db.EachRow(ctx, "read messages", query, []any{conv}, func(scan data.RowScanner) error { return scan(&all, &named) })
	return all == named, err
}
