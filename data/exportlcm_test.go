package data

// ItemAt is a context item of a message, one that was read from the file or a new one.
func ItemAt(message, ordinal int64, fromFile bool) ContextItem {
	return ContextItem{
		Conversation: 1, Ordinal: ordinal, Type: "message", Message: message, fromFile: fromFile, source: ordinal,
		columns: []string{"ordinal", "message_id"}, cells: []any{ordinal, message},
	}
}
