package reading

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// wordIndex asks the server's index of words about the texts of one source or home. It implements data.WordIndex.
type wordIndex struct {
	address *postgres.Address
	pool    *sql.DB
	place   wordPlace
}

// wordPlace says where the words of a source or home stand, in SQL.
type wordPlace struct {
	table     string // With the columns of search_docs.
	condition string // Which of its rows are those of the source; empty for a home, which has all.
	all       string // The table with the messages, and what narrows it to the source.
	source    int64  // The number in their labels.
	// missing counts the texts that the index lacks, up to one more than most.
	missing func(most int) (query string)
	// messages returns the ids and times of messages that the index lacks, and summaries the ids of summaries.
	messages, summaries string
}

// newSourceWords returns the index of words of a source of a replica. Its rows are sent first, and made searchable after that.
func newSourceWords(a *postgres.Address, pool *sql.DB, source int64) data.WordIndex {
	id := strconv.FormatInt(source, 10)
	gaps := " WHERE g.search_from IS NOT NULL AND g.source_id = " + id
	messages := " FROM lcm.sync_conversations g JOIN lcm.messages m ON m.source_id = g.source_id AND m.sync_group = g.sync_group AND m.message_id > g.search_from" + gaps
	summaries := "SELECT s.summary_id FROM lcm.sync_conversations g JOIN lcm.summaries s ON s.source_id = g.source_id AND s.sync_group = g.sync_group" + gaps
	return &wordIndex{a, pool, wordPlace{
		table: "lcm.search_docs", condition: "source_id = " + id + " AND ", all: "lcm.messages WHERE source_id = " + id + " AND ", source: source,
		missing: func(most int) string {
			return "SELECT count(*) FROM (SELECT m.message_id::text" + messages + " UNION ALL " + summaries + " LIMIT " + strconv.Itoa(most+1) + ") f"
		},
		messages: "SELECT m.message_id, m.created_at" + messages, summaries: summaries,
	}}
}

// NewHomeWords returns the index of words of a home, whose texts have postgres.HomeSource in their labels. Where texts of any conversation
// aren't searchable yet, it lacks more than anybody asks for.
func NewHomeWords(a *postgres.Address, pool *sql.DB) data.WordIndex {
	return &wordIndex{a, pool, wordPlace{
		table: "home.search_docs", all: "home.messages WHERE ", source: postgres.HomeSource,
		missing: func(most int) string {
			return "SELECT CASE WHEN EXISTS (SELECT 1 FROM home.search_gaps) THEN " + strconv.Itoa(most+1) + " ELSE 0 END"
		},
	}}
}

// Missing implements data.WordIndex.
func (w *wordIndex) Missing(ctx context.Context, most int) (n int, err error) {
	err = w.pool.QueryRowContext(ctx, w.place.missing(most), pgx.QueryExecModeSimpleProtocol).Scan(&n)
	return n, w.address.Wrap(ctx, "search in", err)
}

// IsExact implements data.WordIndex.
func (w *wordIndex) IsExact(q data.WordQuery) bool { return w.query("message", q).IsExact }

func (w *wordIndex) query(kind string, q data.WordQuery) postgres.SearchQuery {
	return postgres.NewSearchQuery(q, postgres.SearchLabel(kind, w.place.source))
}

// Messages implements data.WordIndex.
func (w *wordIndex) Messages(ctx context.Context, q data.WordQuery, in data.WordRange, missing bool) (ids []int64, err error) {
	order := "at DESC NULLS LAST, message_id DESC"
	if in.Oldest {
		order = "at NULLS LAST, message_id"
	}
	found := w.found("message", "message_id", q)
	if missing {
		found += " UNION " + w.place.messages
	}
	query := "SELECT message_id FROM (" + found + ") f WHERE message_id BETWEEN " + strconv.FormatInt(in.From, 10) + " AND " + strconv.FormatInt(in.To, 10) +
		w.inConversations(in.Conversations) + " ORDER BY " + order + " LIMIT " + strconv.Itoa(in.Limit) + " OFFSET " + strconv.Itoa(in.Skip)
	err = w.each(ctx, query, func(scan data.RowScanner) error {
		var id int64
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// CountMessages implements data.WordIndex.
func (w *wordIndex) CountMessages(ctx context.Context, q data.WordQuery) (n int64, err error) {
	query := "SELECT count(*) FROM (" + w.found("message", "message_id", q) + ") f"
	err = w.each(ctx, query, func(scan data.RowScanner) error { return scan(&n) })
	return n, err
}

// CountSummaries implements data.WordIndex.
func (w *wordIndex) CountSummaries(ctx context.Context, texts []data.WordTerm) (counts []int64, err error) {
	var each []string
	for i, t := range texts {
		q := data.WordQuery{Groups: [][]data.WordTerm{{t}}}
		each = append(each, "SELECT "+strconv.Itoa(i)+" AS i, count(*) AS n FROM ("+w.found("summary", "summary_id", q)+") f")
	}
	if len(each) == 0 {
		return nil, nil
	}
	err = w.each(ctx, strings.Join(each, " UNION ALL ")+" ORDER BY i", func(scan data.RowScanner) error {
		var i, n int64
		err := scan(&i, &n)
		counts = append(counts, n)
		return err
	})
	return counts, err
}

// inConversations returns the condition that the conversation of a message is in each of these lists.
func (w *wordIndex) inConversations(lists [][]int64) (out string) {
	for _, list := range lists {
		numbers := []string{"NULL"} // Nothing is in an empty list.
		for _, n := range list {
			numbers = append(numbers, strconv.FormatInt(n, 10))
		}
		out += " AND message_id IN (SELECT message_id FROM " + w.place.all + "conversation_id IN (" + strings.Join(numbers, ", ") + "))"
	}
	return out
}

// Summaries implements data.WordIndex.
func (w *wordIndex) Summaries(ctx context.Context, q data.WordQuery, missing bool) (ids []string, err error) {
	query := "SELECT summary_id FROM (" + w.found("summary", "summary_id", q) + ") f"
	if missing {
		query += " UNION " + w.place.summaries
	}
	err = w.each(ctx, query, func(scan data.RowScanner) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// found returns the statement for the ids and times of texts that a query finds. Of a text in several pieces each group may be in
// another.
func (w *wordIndex) found(kind, id string, q data.WordQuery) string {
	s := w.query(kind, q)
	matches := func(text string) string { return "content_tsv @@ " + postgres.Literal(text) + "::tsquery" }
	of := " FROM " + w.place.table + " WHERE " + w.place.condition + "kind = '" + kind + "'"
	var having []string
	for _, g := range s.Groups {
		having = append(having, "bool_or("+matches(g)+")")
	}
	cut := "SELECT " + id + ", min(at) AS at" + of + " AND pieces > 1 AND " + matches(s.Any) + " GROUP BY " + id + " HAVING " + strings.Join(having, " AND ")
	if s.Excluded != "" {
		cut = "SELECT " + id + ", at FROM (" + cut + ") AS cut WHERE " + id + " NOT IN (SELECT " + id + of + " AND pieces > 1 AND " + matches(s.Excluded) + ")"
	}
	return "SELECT " + id + ", at" + of + " AND pieces = 1 AND " + matches(s.All) + " UNION ALL " + cut
}

// each reads the rows of a statement without parameters.
func (w *wordIndex) each(ctx context.Context, query string, fn func(data.RowScanner) error) error {
	err := data.EachRow(ctx, w.pool, query, []any{pgx.QueryExecModeSimpleProtocol}, fn)
	return w.address.Wrap(ctx, "search in", err)
}
