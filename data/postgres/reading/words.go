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

// wordIndex asks the server's index of words about one source. It implements data.WordIndex.
type wordIndex struct {
	address *postgres.Address
	pool    *sql.DB
	source  int64
}

// Missing implements data.WordIndex. Rows are sent first, and made searchable after that.
func (w *wordIndex) Missing(ctx context.Context, most int) (n int, err error) {
	query := "SELECT count(*) FROM (" + w.missingMessages("m.message_id::text") + " UNION ALL " + w.missingSummaries() + " LIMIT " + strconv.Itoa(most+1) + ") f"
	err = w.pool.QueryRowContext(ctx, query).Scan(&n)
	return n, w.address.Wrap(ctx, "search in", err)
}

// missingMessages returns the statement for a column of the messages that the index lacks.
func (w *wordIndex) missingMessages(column string) string {
	return "SELECT " + column + " FROM lcm.sync_conversations g JOIN lcm.messages m ON m.source_id = g.source_id AND m.sync_group = g.sync_group AND m.message_id > g.search_from WHERE g.search_from IS NOT NULL AND g.source_id = " + w.id()
}

// missingSummaries returns the statement for summaries that the index may lack.
func (w *wordIndex) missingSummaries() string {
	return "SELECT s.summary_id FROM lcm.sync_conversations g JOIN lcm.summaries s ON s.source_id = g.source_id AND s.sync_group = g.sync_group WHERE g.search_from IS NOT NULL AND g.source_id = " + w.id()
}

func (w *wordIndex) id() string { return strconv.FormatInt(w.source, 10) }

// IsExact implements data.WordIndex.
func (w *wordIndex) IsExact(q data.WordQuery) bool { return w.query("message", q).IsExact }

func (w *wordIndex) query(kind string, q data.WordQuery) postgres.SearchQuery {
	return postgres.NewSearchQuery(q, postgres.SearchLabel(kind, w.source))
}

// Messages implements data.WordIndex.
func (w *wordIndex) Messages(ctx context.Context, q data.WordQuery, in data.WordRange, missing bool) (ids []int64, err error) {
	order := "at DESC NULLS LAST, message_id DESC"
	if in.Oldest {
		order = "at NULLS LAST, message_id"
	}
	found := w.found("message", "message_id", q)
	if missing {
		found += " UNION " + w.missingMessages("m.message_id, m.created_at")
	}
	query := "SELECT message_id FROM (" + found + ") f WHERE message_id BETWEEN " + strconv.FormatInt(in.From, 10) + " AND " + strconv.FormatInt(in.To, 10) +
		" ORDER BY " + order + " LIMIT " + strconv.Itoa(in.Limit) + " OFFSET " + strconv.Itoa(in.Skip)
	err = w.each(ctx, query, func(scan data.RowScanner) error {
		var id int64
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// Summaries implements data.WordIndex.
func (w *wordIndex) Summaries(ctx context.Context, q data.WordQuery, missing bool) (ids []string, err error) {
	query := "SELECT summary_id FROM (" + w.found("summary", "summary_id", q) + ") f"
	if missing {
		query += " UNION " + w.missingSummaries()
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
	matches := func(text string) string { return "content_tsv @@ " + literal(text) + "::tsquery" }
	of := " WHERE source_id = " + w.id() + " AND kind = " + literal(kind)
	var having []string
	for _, g := range s.Groups {
		having = append(having, "bool_or("+matches(g)+")")
	}
	cut := "SELECT " + id + ", min(at) AS at FROM lcm.search_docs" + of + " AND pieces > 1 AND " + matches(s.Any) + " GROUP BY " + id + " HAVING " + strings.Join(having, " AND ")
	if s.Excluded != "" {
		cut = "SELECT " + id + ", at FROM (" + cut + ") AS cut WHERE " + id + " NOT IN (SELECT " + id + " FROM lcm.search_docs" + of + " AND pieces > 1 AND " + matches(s.Excluded) + ")"
	}
	return "SELECT " + id + ", at FROM lcm.search_docs" + of + " AND pieces = 1 AND " + matches(s.All) + " UNION ALL " + cut
}

// each reads the rows of a statement without parameters.
func (w *wordIndex) each(ctx context.Context, query string, fn func(data.RowScanner) error) error {
	err := data.EachRow(ctx, w.pool, query, []any{pgx.QueryExecModeSimpleProtocol}, fn)
	return w.address.Wrap(ctx, "search in", err)
}
