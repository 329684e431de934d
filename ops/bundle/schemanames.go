package bundle

import (
	"strconv"
	"strings"

	"lcm-tui/data"
)

// namesOf1 are the names of the tables and indexes that a host of 1.0 makes beside the others.
const namesOf1 = `conversation_transcript_epochs conversation_transcript_epochs_mode_idx message_transcript_anchor_trust
	message_anchor_trust_conv_entry_idx message_anchor_trust_conv_state_idx pending_compaction_batches
	pending_compaction_batches_conv_status_idx pending_summary_nodes pending_summary_nodes_batch_status_idx
	pending_summary_nodes_conv_status_idx pending_summary_node_messages pending_summary_node_messages_message_idx
	pending_summary_node_children pending_summary_node_children_child_node_idx
	pending_summary_node_children_child_summary_idx turn_advancements turn_advancements_session_idx`

// knownNames are the names of tables and indexes of the host.
var knownNames = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(namesOf1) {
		out[name] = true
	}
	for _, o := range data.NewestSchema() {
		out[strings.ToLower(o.Name)] = true
	}
	return out
}()

// isKnown reports whether a table or an index is of the host, of this program or of SQLite. Other
// programs may have given theirs names that say something; views and triggers are always theirs.
func isKnown(kind, name string) bool {
	return (kind == "table" || kind == "index") && isKnownName(name)
}

func isKnownName(name string) bool {
	name = strings.ToLower(name)
	if knownNames[name] || strings.HasPrefix(name, "lcm_tui_") || strings.HasPrefix(name, "sqlite_") {
		return true
	}
	for _, suffix := range data.SearchShadows {
		name = strings.TrimSuffix(name, suffix)
	}
	return knownNames[name]
}

// objectName returns the name of a table or an index; one of another program has a number.
func (m *maker) objectName(name string) string {
	if index, ok := strings.CutPrefix(name, "sqlite_autoindex_"); ok { // It has the name of its table in it.
		table := index[:max(strings.LastIndexByte(index, '_'), 0)]
		return "sqlite_autoindex_" + m.objectName(table) + index[len(table):]
	}
	if isKnownName(name) {
		return name
	}
	if m.foreign == nil {
		m.foreign = map[string]int{}
	}
	if m.foreign[name] == 0 {
		m.foreign[name] = len(m.foreign) + 1
	}
	return "other_" + strconv.Itoa(m.foreign[name])
}
