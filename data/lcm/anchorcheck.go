package lcm

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

// ReasonMissing is why an anchor is suspect whose entry the transcript doesn't show.
const ReasonMissing = "entry id missing from projection"

// ReasonUnproven is why an anchor is suspect for which nobody vouched.
const ReasonUnproven = "entry id lacks explicit trust"

// ReasonBlank is why an anchor of a message without text is suspect for which nobody vouched.
const ReasonBlank = "blank content cannot prove entry id"

// SourceImport is the source of the trust rows that hosts write with imported messages.
const SourceImport = "transcript-import"

// trustedStates is the condition of a trust row that hosts believe.
const trustedStates = "t.trust_state IN ('" + TrustVerified + "', '" + TrustRepaired + "')"

// WrongAnchor is a trust row that doesn't fit its message, or is incomplete.
type WrongAnchor struct {
	Message             int64
	Conversation        int64
	MessageConversation int64 // 0: the message doesn't exist.
	Entry               data.Stored
	MessageEntry        data.Stored
	OtherEntry          bool // The anchor is trusted, and its message names another entry.
	OtherConversation   bool // The message belongs to another conversation.
	Incomplete          bool // The anchor is trusted, and names no entry or no time.
}

// WrongAnchors returns the trust rows of the file that don't fit their messages or are incomplete.
func WrongAnchors(ctx context.Context, db data.Querier) ([]WrongAnchor, error) {
	s := db.Schema()
	if !s.Has(data.AnchorTrustTable, "message_id", "conversation_id", "transcript_entry_id", "trust_state") || !s.HasCore("messages") {
		return nil, nil
	}
	entry := s.Expr("messages", "m", "transcript_entry_id", "t.transcript_entry_id")
	other := "(m.message_id IS NOT NULL AND " + trustedStates + " AND t.transcript_entry_id IS NOT " + entry + ")"
	foreign := "(m.message_id IS NOT NULL AND t.conversation_id <> m.conversation_id)"
	incomplete := "(" + trustedStates + " AND (t.transcript_entry_id IS NULL OR " + s.Expr(data.AnchorTrustTable, "t", "verified_at", "''") + " IS NULL))"
	query := fmt.Sprintf("SELECT t.message_id, t.conversation_id, m.conversation_id, t.transcript_entry_id, %s, ifnull(%s, 0), ifnull(%s, 0), ifnull(%s, 0) FROM "+
		data.AnchorTrustTable+" t LEFT JOIN messages m ON m.message_id = t.message_id WHERE %[2]s OR %[3]s OR %[4]s ORDER BY 1", entry, other, foreign, incomplete)
	return data.Collect(ctx, db, "read anchors", query, nil, func(scan data.RowScanner, a *WrongAnchor) error {
		return scan((*data.Integer)(&a.Message), (*data.Integer)(&a.Conversation), (*data.Integer)(&a.MessageConversation), &a.Entry, &a.MessageEntry,
			&a.OtherEntry, &a.OtherConversation, &a.Incomplete)
	})
}

// FirstTrustedSeq returns the lowest seq of a conversation's messages whose anchors hosts trust; ok
// is false where there is none.
func FirstTrustedSeq(ctx context.Context, db data.Querier, conv int64) (seq int64, ok bool, err error) {
	if !db.Schema().Has(data.AnchorTrustTable, "message_id", "trust_state") || !db.Schema().HasCore("messages") {
		return 0, false, nil
	}
	var first data.Number
	_, err = data.One(ctx, db, "read anchors", "SELECT MIN(m.seq) FROM messages m JOIN "+data.AnchorTrustTable+" t ON t.message_id = m.message_id WHERE m.conversation_id = ? AND "+
		trustedStates, []any{conv}, &first)
	return first.Value, first.Valid, err
}

// SuspectAnchor is a trust row that is suspect for one reason.
type SuspectAnchor struct {
	Message, Conversation int64
	Reason                string
	Seq                   data.Number // Of the message; not valid where it doesn't exist.
}

// SuspectAnchors returns the suspect trust rows with one of these reasons, by message.
func SuspectAnchors(ctx context.Context, db data.Querier, reasons ...string) ([]SuspectAnchor, error) {
	s := db.Schema()
	if !s.Has(data.AnchorTrustTable, "message_id", "conversation_id", "trust_state", "reason") || !s.HasCore("messages") {
		return nil, nil
	}
	query := "SELECT t.message_id, t.conversation_id, t.reason, m.seq FROM " + data.AnchorTrustTable + " t LEFT JOIN messages m ON m.message_id = t.message_id" +
		" WHERE t.trust_state = '" + TrustSuspect + "' AND t.reason IN (" + data.Marks(len(reasons)) + ") ORDER BY 1"
	return data.Collect(ctx, db, "read anchors", query, asArgs(reasons), func(scan data.RowScanner, a *SuspectAnchor) error {
		return scan((*data.Integer)(&a.Message), (*data.Integer)(&a.Conversation), (*data.Word)(&a.Reason), &a.Seq)
	})
}

// asArgs returns texts as the arguments of a query.
func asArgs(texts []string) (args []any) {
	for _, t := range texts {
		args = append(args, t)
	}
	return args
}

// ImportedMessages returns the messages whose trust rows a host wrote at an import: of a
// conversation, or for 0 of the file.
func ImportedMessages(ctx context.Context, db data.Querier, conv int64) (map[int64]bool, error) {
	s := db.Schema()
	if !s.Has(data.AnchorTrustTable, "message_id", "source") || !s.HasCore("messages") {
		return nil, nil
	}
	query, args := "SELECT t.message_id FROM "+data.AnchorTrustTable+" t WHERE t.source = ?", []any{SourceImport}
	if conv != 0 {
		query, args = query+" AND t.message_id IN (SELECT message_id FROM messages WHERE conversation_id = ?)", append(args, conv)
	}
	out := map[int64]bool{}
	err := data.Each(ctx, db, "read anchors", query, args, func(scan data.RowScanner) error {
		var id int64
		err := scan((*data.Integer)(&id))
		out[id] = true
		return err
	})
	return out, err
}

// CountEntriesWithoutAnchor counts by conversation the messages that name an entry of the
// transcript and have no trust row.
func CountEntriesWithoutAnchor(ctx context.Context, db data.Querier) (map[int64]int64, error) {
	s := db.Schema()
	if !s.Has(data.AnchorTrustTable, "message_id") || !s.Has("messages", "message_id", "conversation_id", "transcript_entry_id") {
		return nil, nil
	}
	return countBy(ctx, db, "SELECT conversation_id, COUNT(*) FROM messages WHERE transcript_entry_id IS NOT NULL AND message_id NOT IN (SELECT message_id FROM "+
		data.AnchorTrustTable+") GROUP BY 1")
}

// countBy runs a query for a conversation and a number.
func countBy(ctx context.Context, db data.Querier, query string, args ...any) (map[int64]int64, error) {
	out := map[int64]int64{}
	err := data.Each(ctx, db, "read anchors", query, args, func(scan data.RowScanner) error {
		var conv, n int64
		err := scan((*data.Integer)(&conv), (*data.Integer)(&n))
		out[conv] = n
		return err
	})
	return out, err
}

// CountWithoutEntry counts the messages of a conversation after a seq that name no entry of
// the transcript.
func CountWithoutEntry(ctx context.Context, db data.Querier, conv, after int64) (n int64, err error) {
	if !db.Schema().Has("messages", "conversation_id", "seq", "transcript_entry_id") {
		return 0, nil
	}
	_, err = data.One(ctx, db, "read messages", "SELECT COUNT(*) FROM messages WHERE conversation_id = ? AND transcript_entry_id IS NULL AND seq > ?",
		[]any{conv, after}, (*data.Integer)(&n))
	return n, err
}

// UnusualEpoch is an epoch that doesn't fit its conversation, or that no known host writes.
type UnusualEpoch struct {
	Conversation int64
	Session      string // Of the epoch.
	OtherSession bool   // The conversation has another session.
	Mode         string
	UnknownMode  bool // No known host writes the mode.
	BadMetadata  bool // The metadata isn't JSON.
}

// UnusualEpochs returns those of the file, by conversation.
func UnusualEpochs(ctx context.Context, db data.Querier) ([]UnusualEpoch, error) {
	s := db.Schema()
	if !s.Has(data.EpochTable, "conversation_id") || !s.HasCore("conversations") {
		return nil, nil
	}
	session := s.Expr(data.EpochTable, "e", "session_id", "NULL")
	mode := s.Expr(data.EpochTable, "e", "migration_mode", "NULL")
	metadata := s.Expr(data.EpochTable, "e", "metadata_json", "NULL")
	other, unknown := session+" <> c.session_id", mode+" IN ('repairable', 'corrupt')"
	bad := "(" + metadata + " IS NOT NULL AND NOT json_valid(" + metadata + "))"
	query := fmt.Sprintf("SELECT e.conversation_id, %s, %s, ifnull(%s, 0), ifnull(%s, 0), ifnull(%s, 0) FROM "+data.EpochTable+
		" e LEFT JOIN conversations c ON c.conversation_id = e.conversation_id WHERE %[3]s OR %[4]s OR %[5]s ORDER BY 1", session, mode, other, unknown, bad)
	return data.Collect(ctx, db, "read epochs", query, nil, func(scan data.RowScanner, e *UnusualEpoch) error {
		return scan((*data.Integer)(&e.Conversation), (*data.Text)(&e.Session), (*data.Word)(&e.Mode), &e.OtherSession, &e.UnknownMode, &e.BadMetadata)
	})
}

// DanglingReceipts are the sessions that receipts of turns name and no conversation has.
type DanglingReceipts struct {
	Session string
	Count   int64
	// KeyGoesOn says that a conversation has the session key of one of the receipts.
	KeyGoesOn bool
}

// ReadDanglingReceipts returns those of the file, by session.
func ReadDanglingReceipts(ctx context.Context, db data.Querier) ([]DanglingReceipts, error) {
	s := db.Schema()
	if !s.Has(data.TurnTable, "session_id") || !s.HasCore("conversations") {
		return nil, nil
	}
	goesOn := "0"
	if s.Has(data.TurnTable, "session_key") && s.Has("conversations", "session_key") {
		goesOn = "MAX(EXISTS (SELECT 1 FROM conversations c WHERE c.session_key = t.session_key))"
	}
	query := "SELECT t.session_id, COUNT(*), " + goesOn + " FROM " + data.TurnTable + " t WHERE t.session_id NOT IN (SELECT session_id FROM conversations) GROUP BY 1 ORDER BY 1"
	return data.Collect(ctx, db, "read turns", query, nil, func(scan data.RowScanner, r *DanglingReceipts) error {
		return scan((*data.Text)(&r.Session), (*data.Integer)(&r.Count), &r.KeyGoesOn)
	})
}

// EachMessageValue calls fn with the value of a column of every message of some conversations
// that has one. An index over conversation_id and the column answers it without the rows.
func EachMessageValue(ctx context.Context, db data.Querier, column string, convs []int64, fn func(conv, message int64, v data.Stored)) error {
	if !db.Schema().Has("messages", "message_id", "conversation_id", column) {
		return nil
	}
	var args []any
	for _, c := range convs {
		args = append(args, c)
	}
	for len(args) > 0 {
		n := min(len(args), data.MaxArgs)
		query := "SELECT conversation_id, message_id, " + data.QuoteName(column) + " FROM messages WHERE conversation_id IN (" + data.Marks(n) + ") AND " + data.QuoteName(column) + " IS NOT NULL"
		err := data.Each(ctx, db, "read messages", query, args[:n], func(scan data.RowScanner) error {
			var conv, message int64
			var v data.Stored
			err := scan((*data.Integer)(&conv), (*data.Integer)(&message), &v)
			if err == nil {
				fn(conv, message, v)
			}
			return err
		})
		if err != nil {
			return err
		}
		args = args[n:]
	}
	return nil
}

// ContextMessages calls fn with the message of every context item of the file.
func ContextMessages(ctx context.Context, db data.Querier, fn func(message int64)) error {
	if !db.Schema().HasCore("context_items") {
		return nil
	}
	return data.Each(ctx, db, "read context", "SELECT message_id FROM context_items WHERE message_id IS NOT NULL", nil, func(scan data.RowScanner) error {
		var id int64
		err := scan((*data.Integer)(&id))
		if err == nil {
			fn(id)
		}
		return err
	})
}
