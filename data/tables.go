package data

import "slices"

// BootstrapTable has up to where a host has read a session's transcript.
const BootstrapTable = "conversation_bootstrap_state"

// The tables in which a host of the 1.0 generation prepares summaries in the background. A
// table comes after those that its rows refer to.
const (
	PendingBatchTable       = "pending_compaction_batches"
	PendingNodeTable        = "pending_summary_nodes"
	PendingNodeMessageTable = "pending_summary_node_messages"
	PendingNodeChildTable   = "pending_summary_node_children"
)

// PendingTables are those four.
var PendingTables = []string{PendingBatchTable, PendingNodeTable, PendingNodeMessageTable, PendingNodeChildTable}

// IsPendingTable reports whether a host prepares summaries in this table.
func IsPendingTable(table string) bool { return slices.Contains(PendingTables, table) }

// The tables in which hosts from 1.0 on keep anchors: which entry ids of messages they may trust, up
// to where they take a conversation's messages for stored, and which turns they have stored.
const (
	AnchorTrustTable = "message_transcript_anchor_trust"
	EpochTable       = "conversation_transcript_epochs"
	TurnTable        = "turn_advancements" // Receipts of turns that a host stored.
)
