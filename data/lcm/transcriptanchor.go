package lcm

import (
	"context"

	"lcm-tui/data"
)

// AnchorTrust is a row of message_transcript_anchor_trust, from 1.0: whether a host believes
// the transcript entry that a message names.
type AnchorTrust struct {
	Message      int64
	Conversation int64
	Entry        data.Stored // The entry of the transcript.
	State        string      // One of the trust states below.
	Source       string      // Who wrote the row.
	Reason       string
	VerifiedAt   data.Time
	CreatedAt    data.Time
	UpdatedAt    data.Time
}

// The states of an anchor. Hosts trust the first two; known hosts write only verified and
// suspect.
const (
	TrustVerified     = "verified"
	TrustRepaired     = "repaired"
	TrustSuspect      = "suspect"
	TrustLegacyPrefix = "legacy_prefix"
	TrustUnproven     = "unproven"
)

// Trusted reports whether hosts take the anchor for proven.
func (a AnchorTrust) Trusted() bool { return a.State == TrustVerified || a.State == TrustRepaired }

// TrustedAnchor returns the part of a trust row by which this program vouches for the entry of a
// message; the reason says why.
func TrustedAnchor(db *data.DB, entry any, reason string) data.Row {
	return data.Row{
		"transcript_entry_id": entry, "trust_state": TrustVerified, "source": "lcm-tui", "reason": reason,
		"verified_at": data.FormatTimeMillis(db.Now()), "updated_at": db.FormatNow(),
	}
}

// AnchorTrusts returns the trust rows of a conversation, or for 0 of the file, by message.
func AnchorTrusts(ctx context.Context, db data.Querier, conv int64) ([]AnchorTrust, error) {
	s := db.Schema()
	if !s.Has(data.AnchorTrustTable) || conv != 0 && !s.Has(data.AnchorTrustTable, "conversation_id") {
		return nil, nil
	}
	query := "SELECT " + s.Stored(data.AnchorTrustTable, "t", `message_id conversation_id transcript_entry_id trust_state source reason
		verified_at created_at updated_at`) + " FROM " + data.AnchorTrustTable + " t"
	if conv != 0 {
		query += " WHERE t.conversation_id = ?"
	}
	return data.Collect(ctx, db, "read anchors", query+" ORDER BY 1", data.ConversationArg(conv), func(scan data.RowScanner, a *AnchorTrust) error {
		return scan((*data.Integer)(&a.Message), (*data.Integer)(&a.Conversation), &a.Entry, (*data.Word)(&a.State), (*data.Word)(&a.Source), (*data.Word)(&a.Reason),
			&a.VerifiedAt, &a.CreatedAt, &a.UpdatedAt)
	})
}

// Anchored is a message with what a host of 1.0 compares of it with a transcript.
type Anchored struct {
	ID, Seq       int64
	Role, Content string
	Entry         string // transcript_entry_id; empty where there is none.
	EventKey      string // stable_event_key; empty where there is none.
	Trusted       bool   // A trust row of its conversation vouches for the entry.
	Distrusted    bool   // It names an entry for which nobody vouches.
}

// EachAnchored calls fn with every message of a conversation by seq. In files without trust rows no entry
// is trusted.
func EachAnchored(ctx context.Context, db data.Querier, conv int64, fn func(Anchored) error) error {
	s := db.Schema()
	if !s.HasCore("messages") {
		return nil
	}
	join, trusted, missing := "", "0", "0"
	if s.Has(data.AnchorTrustTable, "message_id", "conversation_id", "transcript_entry_id", "trust_state", "reason") && s.Has("messages", "transcript_entry_id") {
		join = " LEFT JOIN " + data.AnchorTrustTable + " t ON t.message_id = m.message_id"
		trusted = "ifnull(" + trustedStates + " AND t.conversation_id = m.conversation_id AND t.transcript_entry_id = m.transcript_entry_id, 0)"
		missing = "ifnull(t.trust_state = '" + TrustSuspect + "' AND t.reason = '" + ReasonMissing + "', 0)"
	}
	query := "SELECT " + s.Stored("messages", "m", "message_id seq role content transcript_entry_id stable_event_key") + ", " + trusted + ", " + missing +
		" FROM messages m" + join + " WHERE m.conversation_id = ? ORDER BY m.seq"
	return data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		var m Anchored
		var missing bool
		err := scan((*data.Integer)(&m.ID), (*data.Integer)(&m.Seq), (*data.Word)(&m.Role), (*data.Text)(&m.Content), (*data.Text)(&m.Entry), (*data.Text)(&m.EventKey), &m.Trusted, &missing)
		if err != nil {
			return err
		}
		m.Distrusted = m.Entry != "" && !m.Trusted && !missing
		return fn(m)
	})
}

// AnchorTrustCounts returns the numbers of trust rows by conversation and state.
func AnchorTrustCounts(ctx context.Context, db data.Querier) (map[int64]map[string]int64, error) {
	return countStates(ctx, db, data.AnchorTrustTable, "trust_state")
}

// TranscriptEpoch is a row of conversation_transcript_epochs, from 1.0: up to where a host
// takes a conversation's messages for stored although their anchors aren't proven.
type TranscriptEpoch struct {
	Conversation      int64
	SessionID         string
	SessionKey        string
	FrontierEntry     string
	FrontierSeq       data.Number // Not valid where there is none.
	FrontierCreatedAt data.Time
	Mode              string      // verified, repairable, legacy_prefix or corrupt.
	Metadata          data.Stored // JSON.
	CreatedAt         data.Time
	UpdatedAt         data.Time
}

// TranscriptEpochs returns the epochs of the file by conversation.
func TranscriptEpochs(ctx context.Context, db data.Querier) ([]TranscriptEpoch, error) {
	s := db.Schema()
	if !s.Has(data.EpochTable) {
		return nil, nil
	}
	query := "SELECT " + s.Stored(data.EpochTable, "e", `conversation_id session_id session_key frontier_entry_id frontier_seq
		frontier_created_at migration_mode metadata_json created_at updated_at`) + " FROM " + data.EpochTable + " e ORDER BY 1"
	return data.Collect(ctx, db, "read epochs", query, nil, func(scan data.RowScanner, e *TranscriptEpoch) error {
		return scan((*data.Integer)(&e.Conversation), (*data.Text)(&e.SessionID), (*data.Text)(&e.SessionKey), (*data.Text)(&e.FrontierEntry), &e.FrontierSeq,
			&e.FrontierCreatedAt, (*data.Word)(&e.Mode), &e.Metadata, &e.CreatedAt, &e.UpdatedAt)
	})
}

// TurnAdvancement is a row of turn_advancements, from 1.0: the receipt of a turn that a host
// stored.
type TurnAdvancement struct {
	Key            string
	PayloadHash    string
	SessionID      string
	SessionKey     string
	AdmissionEntry string
	TerminalEntry  string
	Messages       int64 // Of the turn; blank ones aren't stored.
	CommittedAt    data.Time
}

// TurnAdvancements returns the receipts of a session, or for an empty id of the file, oldest first.
func TurnAdvancements(ctx context.Context, db data.Querier, session string) ([]TurnAdvancement, error) {
	s := db.Schema()
	if !s.Has(data.TurnTable) || session != "" && !s.Has(data.TurnTable, "session_id") {
		return nil, nil
	}
	query := "SELECT " + s.Stored(data.TurnTable, "t", `advancement_key payload_hash session_id session_key admission_entry_id terminal_entry_id
		message_count committed_at`) + " FROM " + data.TurnTable + " t"
	var args []any
	if session != "" {
		query, args = query+" WHERE t.session_id = ?", []any{session}
	}
	return data.Collect(ctx, db, "read turns", query+" ORDER BY 8, 1", args, func(scan data.RowScanner, a *TurnAdvancement) error {
		return scan((*data.Text)(&a.Key), (*data.Text)(&a.PayloadHash), (*data.Word)(&a.SessionID), (*data.Word)(&a.SessionKey), (*data.Text)(&a.AdmissionEntry),
			(*data.Text)(&a.TerminalEntry), (*data.Integer)(&a.Messages), &a.CommittedAt)
	})
}
