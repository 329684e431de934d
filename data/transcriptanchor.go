package data

import (
	"context"
)

// AnchorTrust is a row of message_transcript_anchor_trust, from 1.0: whether a host believes
// the transcript entry that a message names.
type AnchorTrust struct {
	Message      int64
	Conversation int64
	Entry        Stored // The entry of the transcript.
	State        string // One of the trust states below.
	Source       string // Who wrote the row.
	Reason       string
	VerifiedAt   Time
	CreatedAt    Time
	UpdatedAt    Time
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

// TrustedAnchor is the part of a trust row by which this program vouches for the entry of a
// message; the reason says why.
func (db *DB) TrustedAnchor(entry any, reason string) Row {
	return Row{
		"transcript_entry_id": entry, "trust_state": TrustVerified, "source": "lcm-tui", "reason": reason,
		"verified_at": FormatTimeMillis(db.Now()), "updated_at": db.FormatNow(),
	}
}

// AnchorTrusts are the trust rows of a conversation, or for 0 of the file, by message.
func (db *DB) AnchorTrusts(ctx context.Context, conv int64) ([]AnchorTrust, error) {
	s := db.Schema()
	if !s.Has(AnchorTrustTable) || conv != 0 && !s.Has(AnchorTrustTable, "conversation_id") {
		return nil, nil
	}
	query := "SELECT " + s.stored(AnchorTrustTable, "t", `message_id conversation_id transcript_entry_id trust_state source reason
		verified_at created_at updated_at`) + " FROM " + AnchorTrustTable + " t"
	if conv != 0 {
		query += " WHERE t.conversation_id = ?"
	}
	return Collect(ctx, db, "read anchors", query+" ORDER BY 1", conversationArg(conv), func(scan RowScanner, a *AnchorTrust) error {
		return scan((*Integer)(&a.Message), (*Integer)(&a.Conversation), &a.Entry, (*Word)(&a.State), (*Word)(&a.Source), (*Word)(&a.Reason),
			&a.VerifiedAt, &a.CreatedAt, &a.UpdatedAt)
	})
}

// AnchorTrustCounts are the numbers of trust rows by conversation and state.
func (db *DB) AnchorTrustCounts(ctx context.Context) (map[int64]map[string]int64, error) {
	return db.countStates(ctx, AnchorTrustTable, "trust_state")
}

// TranscriptEpoch is a row of conversation_transcript_epochs, from 1.0: up to where a host
// takes a conversation's messages for stored although their anchors aren't proven.
type TranscriptEpoch struct {
	Conversation      int64
	SessionID         string
	SessionKey        string
	FrontierEntry     string
	FrontierSeq       Number // Not valid where there is none.
	FrontierCreatedAt Time
	Mode              string // verified, repairable, legacy_prefix or corrupt.
	Metadata          Stored // JSON.
	CreatedAt         Time
	UpdatedAt         Time
}

// TranscriptEpochs are the epochs of the file by conversation.
func (db *DB) TranscriptEpochs(ctx context.Context) ([]TranscriptEpoch, error) {
	s := db.Schema()
	if !s.Has(EpochTable) {
		return nil, nil
	}
	query := "SELECT " + s.stored(EpochTable, "e", `conversation_id session_id session_key frontier_entry_id frontier_seq
		frontier_created_at migration_mode metadata_json created_at updated_at`) + " FROM " + EpochTable + " e ORDER BY 1"
	return Collect(ctx, db, "read epochs", query, nil, func(scan RowScanner, e *TranscriptEpoch) error {
		return scan((*Integer)(&e.Conversation), (*Text)(&e.SessionID), (*Text)(&e.SessionKey), (*Text)(&e.FrontierEntry), &e.FrontierSeq,
			&e.FrontierCreatedAt, (*Word)(&e.Mode), &e.Metadata, &e.CreatedAt, &e.UpdatedAt)
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
	CommittedAt    Time
}

// TurnAdvancements are the receipts of a session, or for an empty id of the file, oldest first.
func (db *DB) TurnAdvancements(ctx context.Context, session string) ([]TurnAdvancement, error) {
	s := db.Schema()
	if !s.Has(TurnTable) || session != "" && !s.Has(TurnTable, "session_id") {
		return nil, nil
	}
	query := "SELECT " + s.stored(TurnTable, "t", `advancement_key payload_hash session_id session_key admission_entry_id terminal_entry_id
		message_count committed_at`) + " FROM " + TurnTable + " t"
	var args []any
	if session != "" {
		query, args = query+" WHERE t.session_id = ?", []any{session}
	}
	return Collect(ctx, db, "read turns", query+" ORDER BY 8, 1", args, func(scan RowScanner, a *TurnAdvancement) error {
		return scan((*Text)(&a.Key), (*Text)(&a.PayloadHash), (*Word)(&a.SessionID), (*Word)(&a.SessionKey), (*Text)(&a.AdmissionEntry),
			(*Text)(&a.TerminalEntry), (*Integer)(&a.Messages), &a.CommittedAt)
	})
}
