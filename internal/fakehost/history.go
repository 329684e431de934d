package fakehost

// History returns what an agent would hand over again of a conversation: its messages by seq, with
// their parts and the ids of their entries.
func (h *Host) History(conv int64) (out []Message, err error) {
	entry := "''"
	if h.Has("messages", "transcript_entry_id") {
		entry = "coalesce(transcript_entry_id, '')"
	}
	at := map[int64]int{}
	err = h.Each("SELECT message_id, role, content, "+entry+" FROM messages WHERE conversation_id = ? ORDER BY seq", []any{conv}, func(scan func(...any) error) error {
		var id int64
		m := Message{Parts: []Part{}}
		err := scan(&id, &m.Role, &m.Content, &m.EntryID)
		if text := handedOver(m.Content); text != m.Content {
			m.HandedOver = text
		}
		at[id] = len(out)
		out = append(out, m)
		return err
	})
	if err != nil {
		return nil, err
	}
	const parts = `SELECT p.message_id, p.part_type, coalesce(p.text_content, ''), coalesce(p.tool_call_id, ''), coalesce(p.tool_name, ''),
		coalesce(p.tool_input, ''), coalesce(p.tool_output, ''), coalesce(p.metadata, '')
		FROM message_parts p JOIN messages m ON m.message_id = p.message_id WHERE m.conversation_id = ? ORDER BY p.message_id, p.ordinal`
	err = h.Each(parts, []any{conv}, func(scan func(...any) error) error {
		var id int64
		var p Part
		err := scan(&id, &p.Type, &p.Text, &p.ToolCallID, &p.ToolName, &p.ToolInput, &p.ToolOutput, &p.Metadata)
		if i, ok := at[id]; ok {
			out[i].Parts = append(out[i].Parts, p)
		}
		return err
	})
	return out, err
}
