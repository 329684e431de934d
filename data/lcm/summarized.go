package lcm

import (
	"context"

	"lcm-tui/data"
)

// SummarizedTokens are the stored tokens of the messages that summaries were made of, and those of all messages.
type SummarizedTokens struct {
	Summarized, All int64
	// Exact says that the messages were read. Else it is what leaves note of their sources, and what stands in contexts.
	Exact bool
}

// mostCountedMessages is how many messages are read to count their tokens.
const mostCountedMessages = 50_000

// ReadSummarizedTokens counts the tokens in summaries. messages and inContexts are how many messages the file has, and the
// tokens of all contexts: in a file with many messages it reads none of them.
func ReadSummarizedTokens(ctx context.Context, db data.Querier, messages, inContexts int64) (t SummarizedTokens, err error) {
	s := db.Schema()
	if !s.Has("summary_messages", "message_id") || !s.Has("messages", "token_count") || !s.Has("context_items", "summary_id") || !s.Has("summaries", "kind") {
		return t, nil
	}
	if messages <= mostCountedMessages || !s.Has("summaries", "source_message_token_count") {
		t.Exact = true
		const query = `SELECT (SELECT coalesce(sum(m.token_count), 0) FROM messages m WHERE m.message_id IN (SELECT message_id FROM summary_messages)),
			(SELECT coalesce(sum(token_count), 0) FROM messages)`
		_, err = data.One(ctx, db, "count summarized tokens", query, nil, (*data.Integer)(&t.Summarized), (*data.Integer)(&t.All))
		return t, err
	}
	var summaries int64
	const query = `SELECT (SELECT coalesce(sum(source_message_token_count), 0) FROM summaries WHERE kind = 'leaf'),
		(SELECT coalesce(sum(s.token_count), 0) FROM context_items c JOIN summaries s ON s.summary_id = c.summary_id)`
	_, err = data.One(ctx, db, "count summarized tokens", query, nil, (*data.Integer)(&t.Summarized), (*data.Integer)(&summaries))
	t.All = t.Summarized + max(0, inContexts-summaries)
	return t, err
}
