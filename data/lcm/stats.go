package lcm

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"lcm-tui/data"
	"lcm-tui/internal/parallel"
)

// Stats are the numbers of one conversation that have to be counted.
type Stats struct {
	Messages      int64
	LastMessageAt data.Time     // Of the message with the highest seq.
	Summaries     map[int]int64 // By depth.
	ContextItems  int64
	ContextTokens int64 // Σ stored token_count of the context's messages and summaries.
	LargeFiles    int64
}

// SummaryCount returns the number of summaries of all depths.
func (s Stats) SummaryCount() (n int64) {
	for _, c := range s.Summaries {
		n += c
	}
	return n
}

// MaxDepth returns the greatest depth of a summary, or 0.
func (s Stats) MaxDepth() (d int) {
	for k := range s.Summaries {
		d = max(d, k)
	}
	return d
}

// ReadStats counts for one conversation.
func ReadStats(ctx context.Context, db *data.DB, conv int64) (Stats, error) {
	all, err := stats(ctx, db, []span{{conv, conv}})
	if err != nil || all[conv] == nil {
		return Stats{}, err
	}
	return *all[conv], nil
}

// AllStats counts for every conversation of the file, which on a large one is
// much faster than one by one, and still takes a while.
func AllStats(ctx context.Context, db *data.DB) (map[int64]*Stats, error) {
	var first, last data.Integer
	_, err := data.One(ctx, db, "count conversations", "SELECT min(conversation_id), max(conversation_id) FROM conversations", nil, &first, &last)
	if err != nil {
		return nil, err
	}
	spans := spansOf(int64(first), int64(last))
	if _, isServer := db.Replica(); isServer && len(spans) > 0 { // It reads all messages for each piece.
		spans = []span{{int64(first), int64(last)}}
	}
	return stats(ctx, db, spans)
}

// spansOf cuts the ids from first to last, which may be any two numbers, into spans.
func spansOf(first, last int64) (out []span) {
	if first > last {
		return nil
	}
	distance := uint64(last) - uint64(first) // Of two int64 it always fits.
	step := max(minConversationsPerSpan, distance/maxSpans+1)
	for from := uint64(0); ; from += step {
		end := distance
		if distance-from >= step {
			end = from + step - 1
		}
		out = append(out, span{first + int64(from), first + int64(end)}) //nolint:gosec // It wraps back into the range.
		if end == distance {
			return out
		}
	}
}

// Counting is cut into pieces that the connections take one after another, since
// a few conversations may hold most of the messages.
const (
	maxSpans                = 12
	minConversationsPerSpan = 16 // Conversations in a piece.
)

// span is a range of conversation ids, both ends included.
type span struct{ from, to int64 }

// statQuery is one kind of number: how it's counted, and where it goes.
type statQuery struct {
	table string
	sql   string
	put   func(s *Stats, a, b any)
}

// stats counts what the spans hold, on several connections side by side.
func stats(ctx context.Context, db *data.DB, spans []span) (map[int64]*Stats, error) {
	type piece struct {
		statQuery
		span
	}
	var todo []piece
	for _, k := range statQueries(db) {
		if k.table != "conversations" && !db.Schema().Has(k.table) {
			continue
		}
		for _, s := range spans {
			todo = append(todo, piece{k, s})
		}
	}
	out := map[int64]*Stats{}
	var mu sync.Mutex
	err := inParallel(min(data.ReaderConns, len(todo)), todo, func(p piece) error {
		whole, err := db.Query(ctx, "count "+p.table, p.sql, []any{p.from, p.to}, func(scan data.RowScanner) error {
			var conv data.Integer
			var a, b any
			if err := scan(&conv, &a, &b); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if out[int64(conv)] == nil {
				out[int64(conv)] = &Stats{Summaries: map[int]int64{}}
			}
			p.put(out[int64(conv)], a, b)
			return nil
		})
		if err == nil && !whole {
			db.NoteUncounted(p.table)
		}
		return err
	})
	return out, err
}

// inParallel calls fn with every element, from n goroutines, until one fails.
func inParallel[T any](n int, list []T, fn func(T) error) error {
	var wg parallel.Group
	var next atomic.Int64
	errs := make([]error, n)
	for w := range n {
		wg.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					return
				}
				errs[w] = fn(list[i])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// statQueries: messages are counted in the index on (conversation_id, seq);
// summing tokens has to touch the rows, so it is done for what stands in a
// context only. The costly one comes first.
func statQueries(db data.Querier) []statQuery {
	const in = " WHERE conversation_id BETWEEN ? AND ? "
	return []statQuery{
		{
			"context_items", `SELECT ci.conversation_id, count(*), total(coalesce(m.token_count, s.token_count))
			FROM context_items ci LEFT JOIN messages m ON m.message_id = ci.message_id
			LEFT JOIN summaries s ON s.summary_id = ci.summary_id WHERE ci.conversation_id BETWEEN ? AND ? GROUP BY 1`,
			func(s *Stats, n, tokens any) {
				s.ContextItems, s.ContextTokens = data.CellInteger(n), data.CellInteger(tokens)
			},
		},
		{
			"messages", `SELECT conversation_id, count(*), NULL FROM messages` + in + `GROUP BY conversation_id`,
			func(s *Stats, n, _ any) { s.Messages = data.CellInteger(n) },
		},
		{
			"conversations", `SELECT conversation_id, (SELECT m.created_at FROM messages m
			WHERE m.conversation_id = c.conversation_id ORDER BY m.seq DESC LIMIT 1), NULL FROM conversations c` + in,
			func(s *Stats, at, _ any) { _ = s.LastMessageAt.Scan(at) },
		},
		{
			"summaries", `SELECT conversation_id, ` + db.Schema().Expr("summaries", "summaries", "depth", "0") +
				` AS d, count(*) FROM summaries` + in + `GROUP BY conversation_id, d`,
			func(s *Stats, depth, n any) { s.Summaries[int(data.CellInteger(depth))] += data.CellInteger(n) },
		},
		{
			"large_files", `SELECT conversation_id, count(*), NULL FROM large_files` + in + `GROUP BY conversation_id`,
			func(s *Stats, n, _ any) { s.LargeFiles = data.CellInteger(n) },
		},
	}
}

// LastActivity returns the time of every conversation's newest message by seq, which
// is cheap even on a large file.
func LastActivity(ctx context.Context, db data.Querier) (map[int64]data.Time, error) {
	out := map[int64]data.Time{}
	const query = `SELECT c.conversation_id, (SELECT m.created_at FROM messages m
		WHERE m.conversation_id = c.conversation_id ORDER BY m.seq DESC LIMIT 1) FROM conversations c`
	err := data.Each(ctx, db, "read activity", query, nil, func(scan data.RowScanner) error {
		var conv data.Integer
		var at data.Time
		err := scan(&conv, &at)
		out[int64(conv)] = at
		return err
	})
	return out, err
}

// TokenTotals are the numbers of a conversation as lossless-claude counts them.
type TokenTotals struct {
	Conversation  int64
	Messages      int64
	MessageTokens int64
	Summaries     int64
	SummaryTokens int64 // Of all depths.
	MaxDepth      int64
}

// IsCompacted reports whether the conversation has a summary.
func (t TokenTotals) IsCompacted() bool { return t.Summaries > 0 }

// AllTokenTotals counts messages, summaries and their stored tokens for every conversation, by id. It reads all
// messages.
func AllTokenTotals(ctx context.Context, db data.Querier) ([]TokenTotals, error) {
	query := "SELECT c.conversation_id, coalesce(m.n, 0), coalesce(m.tokens, 0), coalesce(s.n, 0), coalesce(s.tokens, 0), coalesce(s.depth, 0) FROM conversations c"
	query += joinedTotals(db.Schema(), "messages", "m", "0")
	query += joinedTotals(db.Schema(), "summaries", "s", db.Schema().Expr("summaries", "t", "depth", "0"))
	return data.Collect(ctx, db, "count tokens", query+" ORDER BY 1", nil, func(scan data.RowScanner, t *TokenTotals) error {
		return scan((*data.Integer)(&t.Conversation), (*data.Integer)(&t.Messages), (*data.Integer)(&t.MessageTokens),
			(*data.Integer)(&t.Summaries), (*data.Integer)(&t.SummaryTokens), (*data.Integer)(&t.MaxDepth))
	})
}

// joinedTotals returns the join of the sums of a table, or of nothing where the file lacks it.
func joinedTotals(s *data.Schema, table, name, depth string) string {
	if !s.Has(table, "conversation_id") {
		return " LEFT JOIN (SELECT NULL AS id, 0 AS n, 0 AS tokens, 0 AS depth) " + name + " ON 0"
	}
	return " LEFT JOIN (SELECT t.conversation_id AS id, count(*) AS n, total(CAST(" + s.Expr(table, "t", "token_count", "0") + " AS INTEGER)) AS tokens, max(CAST(" + depth + " AS INTEGER)) AS depth FROM " +
		table + " t GROUP BY 1) " + name + " ON " + name + ".id = c.conversation_id"
}

// Compression is how many tokens stand in contexts in the place of how many.
type Compression struct {
	Covered   int64 // Of the messages that summaries in contexts cover.
	Summaries int64 // Of these summaries.
}

// ReadCompression counts the tokens of the summaries in all contexts, and of the messages that they cover.
func ReadCompression(ctx context.Context, db data.Querier) (c Compression, err error) {
	s := db.Schema()
	if !s.Has("context_items", "summary_id") || !s.Has("summary_parents") || !s.Has("summary_messages") || !s.Has("summaries") || !s.Has("messages") {
		return c, nil
	}
	const query = `WITH RECURSIVE shown(id) AS MATERIALIZED (SELECT DISTINCT summary_id FROM context_items WHERE summary_id IS NOT NULL),
		covering(id) AS (SELECT id FROM shown UNION SELECT p.parent_summary_id FROM covering JOIN summary_parents p ON p.summary_id = covering.id),
		covered(id) AS MATERIALIZED (SELECT DISTINCT l.message_id FROM covering JOIN summary_messages l ON l.summary_id = covering.id)
		SELECT (SELECT total(m.token_count) FROM covered CROSS JOIN messages m ON m.message_id = covered.id),
			(SELECT total(s.token_count) FROM shown CROSS JOIN summaries s ON s.summary_id = shown.id)`
	_, err = data.One(ctx, db, "count what summaries cover", query, nil, (*data.Integer)(&c.Covered), (*data.Integer)(&c.Summaries))
	return c, err
}

// PromotedCount returns how many entries a file has in its promoted memory, 0 without one.
func PromotedCount(ctx context.Context, db data.Querier) (n int64, err error) {
	if !db.Schema().Has("promoted") {
		return 0, nil
	}
	_, err = data.One(ctx, db, "count promoted entries", "SELECT count(*) FROM promoted", nil, (*data.Integer)(&n))
	return n, err
}

// LastInserted returns when the newest row of summaries or of promoted was made, by the order in which rows were inserted.
// It reads one row, however large the file is. It is empty where there is none.
func LastInserted(ctx context.Context, db data.Querier, table string) (at string, err error) {
	if !db.Schema().Has(table, "created_at") {
		return "", nil
	}
	_, err = data.One(ctx, db, "read the newest row", "SELECT created_at FROM "+table+" ORDER BY rowid DESC LIMIT 1", nil, (*data.Text)(&at))
	return at, err
}

// RedactionCounts returns how often lossless-claude redacted a text before it stored it, by the category of the
// pattern.
func RedactionCounts(ctx context.Context, db data.Querier) (map[string]int64, error) {
	counts := map[string]int64{}
	if !db.Schema().Has("redaction_stats", "category", "count") {
		return counts, nil
	}
	err := data.Each(ctx, db, "read redactions", "SELECT category, total(count) FROM redaction_stats GROUP BY 1", nil, func(scan data.RowScanner) error {
		var category string
		var n int64
		err := scan((*data.Text)(&category), (*data.Integer)(&n))
		counts[category] = n
		return err
	})
	return counts, err
}

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
		const query = `SELECT (SELECT total(m.token_count) FROM messages m WHERE m.message_id IN (SELECT message_id FROM summary_messages)),
			(SELECT total(token_count) FROM messages)`
		_, err = data.One(ctx, db, "count summarized tokens", query, nil, (*data.Integer)(&t.Summarized), (*data.Integer)(&t.All))
		return t, err
	}
	var summaries int64
	const query = `SELECT (SELECT total(source_message_token_count) FROM summaries WHERE kind = 'leaf'),
		(SELECT total(s.token_count) FROM context_items c JOIN summaries s ON s.summary_id = c.summary_id)`
	_, err = data.One(ctx, db, "count summarized tokens", query, nil, (*data.Integer)(&t.Summarized), (*data.Integer)(&summaries))
	t.All = t.Summarized + max(0, inContexts-summaries)
	return t, err
}
