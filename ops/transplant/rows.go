package transplant

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
)

// fit is a row with the columns that the target's database has. The names of the others
// are kept for a warning.
func (t *transfer) fit(table string, r data.Row) data.Row {
	fit, missing := t.targetDB.FitRow(table, r)
	for _, c := range missing {
		t.missingColumns[table+"."+c] = true
	}
	return fit
}

// fill gives a column a value where the original has none.
func (t *transfer) fill(table string, r data.Row, column string, value any) {
	if r[column] == nil && t.targetDB.Schema().Has(table, column) {
		r[column] = value
	}
}

// oneOf is v if it is one of the words that the format has, else instead.
func oneOf(v any, instead string, words ...string) string {
	if s := data.CellText(v); slices.Contains(words, s) {
		return s
	}
	return instead
}

// insert adds a row to the plan.
func (t *transfer) insert(table string, r data.Row) {
	t.plan.Changes = append(t.plan.Changes, change.Insert(t.targetDB, table, r))
}

// copySummaries adds the summaries and the links between them.
func (t *transfer) copySummaries(context.Context) error {
	var links []data.Row
	counters, unlinked := t.counters(), t.unlinkedTokens()
	for _, n := range t.nodes {
		r := t.summary(n, counters[n.ID])
		const column = "source_message_token_count"
		if counted := t.summaries[n.ID][column]; unlinked[n.ID] > 0 && counted != nil && r[column] != nil {
			r[column] = max(0, data.CellInteger(counted)-unlinked[n.ID])
		}
		t.insert("summaries", r)
		for i, id := range t.sources(n) {
			links = append(links, data.Row{"summary_id": t.ids[n.ID], "parent_summary_id": t.ids[id], "ordinal": int64(i)})
		}
	}
	for _, l := range links {
		t.insert("summary_parents", l)
	}
	return nil
}

// sources are the ids of a node's sources that are copied, each once.
func (t *transfer) sources(n *lineage.Node) (out []string) {
	for _, id := range n.Sources {
		if _, ok := t.ids[id]; ok && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// summary is the row of a copied summary.
func (t *transfer) summary(n *lineage.Node, c lineage.Counters) data.Row {
	const table = "summaries"
	r := t.fit(table, t.summaries[n.ID])
	r["summary_id"], r["conversation_id"] = t.ids[n.ID], t.Target
	kind := lcm.KindLeaf
	if len(n.Sources) > 0 {
		kind = lcm.KindCondensed
	}
	r["kind"] = oneOf(r["kind"], kind, lcm.KindLeaf, lcm.KindCondensed)
	text := t.rename(data.CellText(r["content"]))
	if text != r["content"] {
		r["content"] = text
	}
	t.fill(table, r, "token_count", t.estimator.Count(text))
	t.fill(table, r, "depth", n.Depth)
	t.fill(table, r, "created_at", t.targetDB.FormatNow())
	t.fill(table, r, "file_ids", "[]")
	t.fill(table, r, "model", "unknown")
	r["file_ids"] = t.rename(data.CellText(r["file_ids"]))
	t.fill(table, r, "descendant_count", c.Descendants)
	t.fill(table, r, "descendant_token_count", c.DescendantTokens)
	t.fill(table, r, "source_message_token_count", c.SourceTokens)
	return r
}

// counters are the counters of the copied summaries, for a source whose rows have none:
// hosts fill them in only once, when they first open a file.
func (t *transfer) counters() map[string]lineage.Counters {
	tokens := map[int64]int64{}
	for _, r := range t.messages {
		tokens[data.CellInteger(r["message_id"])] = data.CellInteger(r["token_count"])
	}
	for original, id := range t.present {
		if !t.duplicates.referenced[id] {
			tokens[original] = t.duplicates.tokens[original]
		}
	}
	out := make(map[string]lineage.Counters, len(t.nodes))
	for _, n := range t.nodes { // Sources first.
		leaf := *n
		leaf.SourceTokens = 0
		for _, l := range t.messageLinks[n.ID] {
			leaf.SourceTokens += tokens[l.Message]
		}
		out[n.ID] = t.graph.Counters(&leaf, func(s *lineage.Node) int64 { return s.Tokens },
			func(s *lineage.Node) lineage.Counters { return out[s.ID] })
	}
	return out
}

// unlinkedTokens are the tokens of the messages below each summary that it isn't linked to
// any more, because the target already covers them.
func (t *transfer) unlinkedTokens() map[string]int64 {
	out := map[string]int64{}
	for _, n := range t.nodes { // Sources first.
		for _, l := range t.messageLinks[n.ID] {
			if id, present := t.present[l.Message]; present && t.duplicates.referenced[id] {
				out[n.ID] += t.duplicates.tokens[l.Message]
			}
		}
		for _, id := range t.sources(n) {
			out[n.ID] += out[id]
		}
	}
	return out
}

// copyMessages adds the messages, their parts, and the links from leaves to them.
func (t *transfer) copyMessages(ctx context.Context) error {
	taken := map[string]map[string]bool{}
	for _, column := range []string{entryColumn, "stable_event_key"} {
		var err error
		if taken[column], err = t.targetDB.ColumnValues(ctx, "messages", column, t.Target); err != nil {
			return err
		}
	}
	ids := make([]int64, len(t.messages))
	for i, r := range t.messages {
		ids[i] = data.CellInteger(r["message_id"])
		copied := t.message(r)
		t.dropTakenKeys(copied, taken)
		t.insert("messages", copied)
		t.messages[i] = nil // Memory has each row once: there may be very many.
	}
	for _, old := range ids {
		for i, p := range t.parts[old] {
			t.insert("message_parts", t.part(p, t.numbers[old], int64(i)))
		}
		clear(t.parts[old])
	}
	for _, n := range t.nodes {
		t.linkMessages(n)
	}
	return nil
}

// message is the row of a copied message.
func (t *transfer) message(original data.Row) data.Row {
	const table = "messages"
	old := data.CellInteger(original["message_id"])
	r := t.fit(table, original)
	r["message_id"], r["conversation_id"], r["seq"] = t.numbers[old], t.Target, t.seqs[old]
	r["role"] = oneOf(r["role"], "assistant", "system", "user", "assistant", "tool") // As hosts store a role that they don't know.
	t.fill(table, r, "content", "")
	for _, column := range []string{"content", "large_content"} {
		if text, ok := r[column].(string); ok && len(t.files) > 0 {
			r[column] = t.rename(text)
		}
	}
	t.fill(table, r, "token_count", t.estimator.Count(data.CellText(r["content"])))
	t.fill(table, r, "created_at", t.targetDB.FormatNow())
	t.setIdentityHash(r, original)
	if t.targetDB.Schema().Has(data.AnchorTrustTable) && r[entryColumn] != nil {
		// A host of 1.0 looks for the entry in the target's transcript, doesn't find it there,
		// and distrusts the conversation.
		r[entryColumn] = nil
		t.droppedEntries++
	}
	return r
}

// entryColumn names the transcript entry that a message came from.
const entryColumn = "transcript_entry_id"

// dropTakenKeys removes the keys of a message that another message of the target has: they
// are unique there, and hosts store a message without its key where that is taken.
func (t *transfer) dropTakenKeys(r data.Row, taken map[string]map[string]bool) {
	for column, keys := range taken {
		key := data.CellText(r[column])
		if r[column] == nil {
			continue
		}
		if keys[key] {
			r[column] = nil
			t.droppedKeys++
		}
		keys[key] = true
	}
}

// partTypes are the kinds of part that the format has.
var partTypes = []string{
	"text", "reasoning", "tool", "patch", "file", "subtask", "compaction", "step_start", "step_finish", "snapshot", "agent", "retry",
}

// part is the row of a copied part.
func (t *transfer) part(original data.Row, message, ordinal int64) data.Row {
	const table = "message_parts"
	r := t.fit(table, original)
	for column, v := range r {
		if text, ok := v.(string); ok && len(t.files) > 0 {
			r[column] = t.rename(text)
		}
	}
	r["part_id"], r["message_id"] = t.targetDB.NewUUID(), message
	r["part_type"] = oneOf(r["part_type"], "agent", partTypes...)
	t.fill(table, r, "ordinal", ordinal)
	if t.targetDB.Schema().Has(table, "session_id") {
		r["session_id"] = t.target.SessionID
	}
	return r
}

// linkMessages adds the links of a leaf, in its order.
func (t *transfer) linkMessages(n *lineage.Node) {
	linked := map[int64]bool{}
	for _, l := range t.messageLinks[n.ID] {
		id, ok := t.numbers[l.Message]
		if !ok || linked[id] {
			continue
		}
		t.insert("summary_messages", data.Row{"summary_id": t.ids[n.ID], "message_id": id, "ordinal": int64(len(linked))})
		linked[id] = true
	}
}
