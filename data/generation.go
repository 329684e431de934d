package data

import (
	"slices"
	"strings"
)

// The generations of the format. Hosts of the second prepare summaries in the background, and
// ask their own host for a session instead of reading its file.
const (
	GenerationZero = "0.x"
	GenerationOne  = "1.0 beta"
)

// generationOneColumns are the tables by which a file of the second generation is known, with
// their columns. It has no other sign.
var generationOneColumns = map[string]string{
	PendingBatchTable: `batch_id conversation_id session_key session_target_json status source_projection_fingerprint compactable_start_ordinal
		compactable_end_ordinal planned_fresh_tail_start_ordinal prompt_version model failure_summary created_at updated_at published_at`,
	PendingNodeTable: `node_id batch_id conversation_id kind depth status ordinal_start ordinal_end source_fingerprint source_context_hash
		content token_count prompt_version model canonical_summary_id lease_owner lease_expires_at failure_summary retry_count next_attempt_after
		created_at updated_at ready_at promoted_at`,
	PendingNodeMessageTable: "node_id message_id ordinal transcript_entry_id identity_hash",
	PendingNodeChildTable:   "node_id ordinal child_node_id child_summary_id",
	AnchorTrustTable:        "message_id conversation_id transcript_entry_id trust_state source reason verified_at created_at updated_at",
	EpochTable: `conversation_id session_id session_key frontier_entry_id frontier_seq frontier_created_at migration_mode
		metadata_json created_at updated_at`,
	TurnTable: "advancement_key payload_hash session_id session_key admission_entry_id terminal_entry_id message_count committed_at",
}

// generation returns the generation of the file, and those of its tables and columns, as
// table.column, that it lacks, in order.
func (s *Schema) generation() (name string, tables, columns []string) {
	for table, names := range generationOneColumns {
		if !s.Has(table) {
			tables = append(tables, table)
			continue
		}
		for _, c := range strings.Fields(names) {
			if !s.Has(table, c) {
				columns = append(columns, table+"."+c)
			}
		}
	}
	if len(tables) == len(generationOneColumns) {
		return GenerationZero, nil, nil
	}
	slices.Sort(tables)
	slices.Sort(columns)
	return GenerationOne, tables, columns
}

// isUpgraded reports whether a file of the second generation was one of the first: it has a table
// that hosts of the second don't make.
func (s *Schema) isUpgraded() bool { return s.Has(BootstrapTable) }

// ReadsSenders reports whether the file's host reads who sent a message. The betas of 1.0 don't, though
// a file that they upgraded still has it.
func (s *Schema) ReadsSenders() bool { return !s.Has(PendingBatchTable) && !s.Has(EpochTable) }
