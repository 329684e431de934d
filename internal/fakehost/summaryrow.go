package fakehost

// writeSummary writes the node, its links, its search rows and its place in the context.
func (h *Writer) writeSummary(s summary, kind string, ids []any, opts []SummaryOptions) (string, error) {
	var o SummaryOptions
	if len(opts) > 0 {
		o = opts[0]
	}
	at := h.at(o.At).Format(Seconds)
	id := o.ID
	if id == "" {
		id = h.id("sum_", s.content)
	}
	if err := h.summaryRow(id, s, o, at); err != nil {
		return "", err
	}
	table, column := "summary_messages", "message_id"
	if kind == "summary" {
		table, column = "summary_parents", "parent_summary_id"
	}
	for i, x := range ids {
		if _, err := h.insert(table, cell{"summary_id", id}, cell{column, x}, cell{"ordinal", i}); err != nil {
			return "", err
		}
	}
	if o.NoContext {
		return id, nil
	}
	return id, h.replaceRun(s.conv, kind, ids, id, at)
}

// summaryRow writes the row of a summary and its search rows.
func (h *Writer) summaryRow(id string, s summary, o SummaryOptions, at string) error {
	if o.Tokens == 0 {
		o.Tokens = h.tokens(s.content)
	}
	if o.Model == "" {
		o.Model = "unknown"
	}
	if s.files == nil {
		s.files = []string{}
	}
	_, err := h.insert("summaries", cell{"summary_id", id}, cell{"conversation_id", s.conv}, cell{"kind", s.kind},
		cell{"depth", s.depth}, cell{"content", s.content}, cell{"token_count", o.Tokens}, cell{"earliest_at", s.earliest},
		cell{"latest_at", s.latest}, cell{"descendant_count", s.descendants}, cell{"descendant_token_count", s.below},
		cell{"source_message_token_count", s.raw}, cell{"created_at", at}, cell{"file_ids", compact(s.files)}, cell{"model", o.Model})
	if err != nil {
		return err
	}
	for _, t := range []string{"summaries_fts", "summaries_fts_cjk"} {
		if _, err := h.insert(t, cell{"summary_id", id}, cell{"content", s.content}); err != nil {
			return err
		}
	}
	return nil
}
