package transplant

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
)

// fit is a row with the columns that the target's file has; what has no place is
// remembered.
func (t *transfer) fit(table string, r data.Row) data.Row {
	fit, homeless := t.to.FitRow(table, r)
	for _, c := range homeless {
		t.homeless[table+"."+c] = true
	}
	return fit
}

// fill gives a column a value where the original has none.
func (t *transfer) fill(table string, r data.Row, column string, value any) {
	if r[column] == nil && t.to.Schema().Has(table, column) {
		r[column] = value
	}
}

// only is a word if it is one of those that the format has, else another.
func only(v any, instead string, words ...string) string {
	if s := data.CellText(v); slices.Contains(words, s) {
		return s
	}
	return instead
}

func (t *transfer) insert(table string, r data.Row) {
	t.plan.Changes = append(t.plan.Changes, t.to.Insert(table, r))
}

// carrySummaries adds the summaries and the links between them.
func (t *transfer) carrySummaries(context.Context) error {
	var links []data.Row
	counters, less := t.counters(), t.unlinked()
	for _, n := range t.nodes {
		r := t.summary(n, counters[n.ID])
		const column = "source_message_token_count"
		if counted := t.summaries[n.ID][column]; less[n.ID] > 0 && counted != nil && r[column] != nil {
			r[column] = max(0, data.CellInteger(counted)-less[n.ID])
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

// sources are the sources of a node that are carried, each once.
func (t *transfer) sources(n *lineage.Node) (out []string) {
	for _, id := range n.Sources {
		if _, ok := t.ids[id]; ok && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func (t *transfer) summary(n *lineage.Node, c lineage.Counters) data.Row {
	const table = "summaries"
	r := t.fit(table, t.summaries[n.ID])
	r["summary_id"], r["conversation_id"] = t.ids[n.ID], t.Target
	kind := data.KindLeaf
	if len(n.Sources) > 0 {
		kind = data.KindCondensed
	}
	r["kind"] = only(r["kind"], kind, data.KindLeaf, data.KindCondensed)
	text := t.rename(data.CellText(r["content"]))
	if text != r["content"] {
		r["content"] = text
	}
	t.fill(table, r, "token_count", t.estimator.Count(text))
	t.fill(table, r, "depth", n.Depth)
	t.fill(table, r, "created_at", t.to.FormatNow())
	t.fill(table, r, "file_ids", "[]")
	t.fill(table, r, "model", "unknown")
	r["file_ids"] = t.rename(data.CellText(r["file_ids"]))
	t.fill(table, r, "descendant_count", c.Descendants)
	t.fill(table, r, "descendant_token_count", c.DescendantTokens)
	t.fill(table, r, "source_message_token_count", c.SourceTokens)
	return r
}

// counters are what the summaries say of all below them, for files that don't keep
// that: hosts fill it in only once, when they first meet a file.
func (t *transfer) counters() map[string]lineage.Counters {
	tokens := map[int64]int64{}
	for _, r := range t.messages {
		tokens[data.CellInteger(r["message_id"])] = data.CellInteger(r["token_count"])
	}
	for original, id := range t.there {
		if !t.twins.used[id] {
			tokens[original] = t.twins.tokens[original]
		}
	}
	out := make(map[string]lineage.Counters, len(t.nodes))
	for _, n := range t.nodes { // Sources first.
		leaf := *n
		leaf.SourceTokens = 0
		for _, l := range t.under[n.ID] {
			leaf.SourceTokens += tokens[l.Message]
		}
		out[n.ID] = t.graph.Counters(&leaf, func(s *lineage.Node) int64 { return s.Tokens },
			func(s *lineage.Node) lineage.Counters { return out[s.ID] })
	}
	return out
}

// unlinked are the tokens of the messages below each summary that it isn't linked to
// any more, since the target tells of them already.
func (t *transfer) unlinked() map[string]int64 {
	out := map[string]int64{}
	for _, n := range t.nodes { // Sources first.
		for _, l := range t.under[n.ID] {
			if id, there := t.there[l.Message]; there && t.twins.used[id] {
				out[n.ID] += t.twins.tokens[l.Message]
			}
		}
		for _, id := range t.sources(n) {
			out[n.ID] += out[id]
		}
	}
	return out
}

// carryMessages adds the messages, their parts, and the links from leaves to them.
func (t *transfer) carryMessages(ctx context.Context) error {
	taken := map[string]map[string]bool{}
	for _, column := range []string{"transcript_entry_id", "stable_event_key"} {
		var err error
		if taken[column], err = t.to.ColumnValues(ctx, "messages", column, t.Target); err != nil {
			return err
		}
	}
	for _, r := range t.messages {
		copied := t.message(r)
		t.free(copied, taken)
		t.insert("messages", copied)
	}
	for _, r := range t.messages {
		old := data.CellInteger(r["message_id"])
		for i, p := range t.parts[old] {
			t.insert("message_parts", t.part(p, t.numbers[old], int64(i)))
		}
	}
	for _, n := range t.nodes {
		t.linkMessages(n)
	}
	return nil
}

func (t *transfer) message(original data.Row) data.Row {
	const table = "messages"
	old := data.CellInteger(original["message_id"])
	r := t.fit(table, original)
	r["message_id"], r["conversation_id"], r["seq"] = t.numbers[old], t.Target, t.seqs[old]
	r["role"] = only(r["role"], "assistant", "system", "user", "assistant", "tool") // As hosts store a role that they don't know.
	t.fill(table, r, "content", "")
	for _, column := range []string{"content", "large_content"} {
		if text, ok := r[column].(string); ok {
			r[column] = t.rename(text)
		}
	}
	t.fill(table, r, "token_count", t.estimator.Count(data.CellText(r["content"])))
	t.fill(table, r, "created_at", t.to.FormatNow())
	t.identify(r, original)
	return r
}

// free lets go of those keys of a message that another of the target has: they are
// unique there, and hosts store a message without its key where that is taken.
func (t *transfer) free(r data.Row, taken map[string]map[string]bool) {
	for column, keys := range taken {
		key := data.CellText(r[column])
		if r[column] == nil {
			continue
		}
		if keys[key] {
			r[column] = nil
			t.keyless++
		}
		keys[key] = true
	}
}

// partTypes are the kinds of part that the format has.
var partTypes = []string{
	"text", "reasoning", "tool", "patch", "file", "subtask", "compaction", "step_start", "step_finish", "snapshot", "agent", "retry",
}

func (t *transfer) part(original data.Row, message, ordinal int64) data.Row {
	const table = "message_parts"
	r := t.fit(table, original)
	for column, v := range r {
		if text, ok := v.(string); ok {
			r[column] = t.rename(text)
		}
	}
	r["part_id"], r["message_id"] = t.uuid(), message
	r["part_type"] = only(r["part_type"], "agent", partTypes...)
	t.fill(table, r, "ordinal", ordinal)
	if t.to.Schema().Has(table, "session_id") {
		r["session_id"] = t.target.SessionID
	}
	return r
}

// uuid is a new random UUID.
func (t *transfer) uuid() string {
	const variants = "89ab"
	d := t.to.NewID() + t.to.NewID()
	return fmt.Sprintf("%s-%s-4%s-%c%s-%s", d[:8], d[8:12], d[13:16], variants[d[16]%byte(len(variants))], d[17:20], d[20:32])
}

// linkMessages adds the links of a leaf, in its order.
func (t *transfer) linkMessages(n *lineage.Node) {
	linked := map[int64]bool{}
	for _, l := range t.under[n.ID] {
		id, ok := t.numbers[l.Message]
		if !ok || linked[id] {
			continue
		}
		t.insert("summary_messages", data.Row{"summary_id": t.ids[n.ID], "message_id": id, "ordinal": int64(len(linked))})
		linked[id] = true
	}
}
