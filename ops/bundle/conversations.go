package bundle

import (
	"bufio"
	"encoding/json"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
)

// archiveCauses are the causes that a host notes; another may be what someone said.
var archiveCauses = []string{"manual-reset", "session-deleted", "session-end", "rollover-fallback", "cron-rotation"}

// stateTables are the tables in which hosts note the state of conversations.
var stateTables = []string{"conversation_bootstrap_state", "conversation_compaction_maintenance", "conversation_compaction_telemetry"}

// list writes a JSON array, one element a line.
type list struct {
	w    *bufio.Writer
	some bool
}

func (l *list) add(v any) error {
	lead := "[\n"
	if l.some {
		lead = ",\n"
	}
	l.some = true
	if _, err := l.w.WriteString(lead); err != nil {
		return err
	}
	b, err := json.Marshal(v)
	if err == nil {
		_, err = l.w.Write(b)
	}
	return err
}

func (l *list) close() error {
	end := "[]\n"
	if l.some {
		end = "\n]\n"
	}
	_, err := l.w.WriteString(end)
	return err
}

// conversations lists the conversations with what the host notes of them.
func (m *maker) conversations(w *bufio.Writer) error {
	stats, err := lcm.AllStats(m.ctx, m.db)
	if err != nil {
		return err
	}
	out := &list{w: w}
	for _, c := range m.convs {
		row := map[string]any{
			"conversation_id": c.ID, "key": m.mask.key(c.SessionKey), "session": m.mask.digest(c.SessionID, 12), "lane": lane(c.SessionKey), "active": c.Active,
			"archive_cause": word(c.ArchiveCause, archiveCauses...),
			"archived_at":   unix(c.ArchivedAt), "created_at": unix(c.CreatedAt), "updated_at": unix(c.UpdatedAt), "has_title": c.Title != "",
		}
		if s := stats[c.ID]; s != nil {
			row["messages"], row["summaries"], row["context_items"], row["large_files"] = s.Messages, s.SummaryCount(), s.ContextItems, s.LargeFiles
		}
		span, err := lcm.ReadSeqRange(m.ctx, m.db, c.ID)
		if err != nil {
			return err
		}
		row["first_seq"], row["last_seq"], row["first_at"], row["last_at"] = span.First, span.Last, unix(span.FirstAt), unix(span.LastAt)
		for _, table := range stateTables {
			if !m.db.Schema().Has(table, "conversation_id") {
				continue
			}
			rows, err := data.Images(m.ctx, m.db, table, data.Row{"conversation_id": c.ID})
			if err != nil {
				return err
			}
			for _, r := range rows {
				row[table] = m.mask.state(r)
			}
		}
		if err := out.add(row); err != nil {
			return err
		}
	}
	return out.close()
}

// contexts lists the items of every context.
func (m *maker) contexts(w *bufio.Writer) error {
	out := &list{w: w}
	for _, c := range m.convs {
		items, err := lcm.RawContext(m.ctx, m.db, c.ID)
		if err != nil {
			return err
		}
		rows := make([][]any, len(items))
		for i, item := range items {
			ref := any(item.Message)
			if item.Summary != "" {
				ref = m.mask.summary(item.Summary)
			}
			rows[i] = []any{item.Ordinal, word(item.Type, "message", "summary"), ref, item.Tokens, item.Missing}
		}
		if err := out.add(map[string]any{"conversation_id": c.ID, "columns": []string{"ordinal", "kind", "of", "tokens", "missing"}, "items": rows}); err != nil {
			return err
		}
	}
	return out.close()
}

// lineage lists the summaries with their sources.
func (m *maker) lineage(w *bufio.Writer) error {
	out := &list{w: w}
	for _, c := range m.convs {
		g, err := lineage.Load(m.ctx, m.db, c.ID, 0)
		if err != nil {
			return err
		}
		spans, err := lcm.Spans(m.ctx, m.db, c.ID)
		if err != nil {
			return err
		}
		covered := map[string]lcm.Span{}
		for _, s := range spans {
			covered[s.Summary] = s
		}
		for _, n := range g.Nodes() {
			sources := []string{}
			for _, id := range n.Sources {
				sources = append(sources, m.mask.summary(id))
			}
			span := covered[n.ID]
			err := out.add(map[string]any{
				"conversation_id": c.ID, "summary": m.mask.summary(n.ID), "kind": word(n.Kind, "leaf", "condensed"), "depth": n.Depth, "tokens": n.Tokens,
				"bytes": n.Bytes, "earliest_at": unix(n.EarliestAt), "latest_at": unix(n.LatestAt), "created_at": unix(n.CreatedAt), "descendants": n.Descendants,
				"descendant_tokens": n.DescendantTokens, "source_tokens": n.SourceTokens, "sources": sources, "messages": span.Messages, "first_seq": span.FirstSeq,
				"last_seq": span.EndSeq, "missing_messages": span.Missing, "in_context": n.InContext(),
			})
			if err != nil {
				return err
			}
		}
	}
	return out.close()
}
