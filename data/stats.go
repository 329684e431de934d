package data

import (
	"context"
	"sync"
)

// Stats are the numbers of one conversation that have to be counted.
type Stats struct {
	Messages      int64
	LastMessageAt Time          // Of the message with the highest seq.
	Summaries     map[int]int64 // By depth.
	ContextItems  int64
	ContextTokens int64 // Σ stored token_count of the context's messages and summaries.
	LargeFiles    int64
}

// SummaryCount is the number of summaries of all depths.
func (s Stats) SummaryCount() (n int64) {
	for _, c := range s.Summaries {
		n += c
	}
	return n
}

// MaxDepth is the greatest depth of a summary, or 0.
func (s Stats) MaxDepth() (d int) {
	for k := range s.Summaries {
		d = max(d, k)
	}
	return d
}

// Stats counts for one conversation.
func (db *DB) Stats(ctx context.Context, conv int64) (Stats, error) {
	all, err := db.stats(ctx, " WHERE conversation_id = ?", conv)
	if err != nil || all[conv] == nil {
		return Stats{}, err
	}
	return *all[conv], nil
}

// AllStats counts for every conversation of the file, which on a large one is
// much faster than one by one, and still takes a while.
func (db *DB) AllStats(ctx context.Context) (map[int64]*Stats, error) {
	return db.stats(ctx, "")
}

// statQuery is one kind of number: how it's counted, and where it goes.
type statQuery struct {
	table string
	sql   string
	put   func(s *Stats, a, b any)
}

// stats runs the kinds side by side, each on a connection of its own.
func (db *DB) stats(ctx context.Context, where string, args ...any) (map[int64]*Stats, error) {
	out := map[int64]*Stats{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	kinds := db.statQueries(where)
	errs := make([]error, len(kinds))
	for i, k := range kinds {
		if !db.schema.Has(k.table) {
			continue
		}
		wg.Go(func() {
			errs[i] = db.each(ctx, "count "+k.table, k.sql, args, func(scan scanner) error {
				var conv integer
				var a, b any
				if err := scan(&conv, &a, &b); err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				if out[int64(conv)] == nil {
					out[int64(conv)] = &Stats{Summaries: map[int]int64{}}
				}
				k.put(out[int64(conv)], a, b)
				return nil
			})
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// statQueries: the first two are answered from the index on
// (conversation_id, seq); summing tokens has to touch the rows, so it is done
// for what stands in a context only.
func (db *DB) statQueries(where string) []statQuery {
	return []statQuery{
		{
			"context_items", `SELECT ci.conversation_id, count(*), sum(coalesce(m.token_count, s.token_count, 0))
			FROM (SELECT * FROM context_items` + where + `) ci LEFT JOIN messages m ON m.message_id = ci.message_id
			LEFT JOIN summaries s ON s.summary_id = ci.summary_id GROUP BY 1`,
			func(s *Stats, n, tokens any) { s.ContextItems, s.ContextTokens = asInteger(n), asInteger(tokens) },
		},
		{
			"messages", `SELECT conversation_id, count(*), NULL FROM messages` + where + ` GROUP BY conversation_id`,
			func(s *Stats, n, _ any) { s.Messages = asInteger(n) },
		},
		{
			"conversations", `SELECT conversation_id, (SELECT m.created_at FROM messages m
			WHERE m.conversation_id = c.conversation_id ORDER BY m.seq DESC LIMIT 1), NULL FROM conversations c` + where,
			func(s *Stats, at, _ any) { _ = s.LastMessageAt.Scan(at) },
		},
		{
			"summaries", `SELECT conversation_id, ` + db.schema.expr("summaries", "summaries", "depth", "0") +
				` AS d, count(*) FROM summaries` + where + ` GROUP BY conversation_id, d`,
			func(s *Stats, depth, n any) { s.Summaries[int(asInteger(depth))] += asInteger(n) },
		},
		{
			"large_files", `SELECT conversation_id, count(*), NULL FROM large_files` + where + ` GROUP BY conversation_id`,
			func(s *Stats, n, _ any) { s.LargeFiles = asInteger(n) },
		},
	}
}

// LastActivity is the time of every conversation's newest message by seq, which
// is cheap even on a large file.
func (db *DB) LastActivity(ctx context.Context) (map[int64]Time, error) {
	out := map[int64]Time{}
	if !db.schema.Has("messages") || !db.schema.Has("conversations") {
		return out, nil
	}
	const query = `SELECT c.conversation_id, (SELECT m.created_at FROM messages m
		WHERE m.conversation_id = c.conversation_id ORDER BY m.seq DESC LIMIT 1) FROM conversations c`
	err := db.each(ctx, "read activity", query, nil, func(scan scanner) error {
		var conv integer
		var at Time
		err := scan(&conv, &at)
		out[int64(conv)] = at
		return err
	})
	return out, err
}
