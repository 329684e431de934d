package replica

import (
	"context"
	"math"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/parallel"
)

// The texts for searching are made after the rows: the server takes more time for them than for the rows.
const (
	// fillConnections is how many connections make them at once.
	fillConnections = 2
	// maxFillMessages is about how many messages one transaction makes them of.
	maxFillMessages = 4000
)

// fillGroup is a conversation whose texts for searching are missing.
type fillGroup struct {
	group, from, messages int64
}

// fillSearch makes the texts for searching that are missing. What was made when it ends early stays.
func fillSearch(ctx context.Context, a *postgres.Address, conn *postgres.Conn, source int64, report data.Report) (texts int64, err error) {
	var jobs [][]fillGroup
	var now []fillGroup
	var messages, total int64
	const query = "SELECT sync_group, search_from, messages FROM lcm.sync_conversations WHERE source_id = $1 AND search_from IS NOT NULL ORDER BY sync_group"
	err = conn.Query(ctx, "read", query, []any{source}, func(scan postgres.Scanner) error {
		var g fillGroup
		if err := scan(&g.group, &g.from, &g.messages); err != nil {
			return err
		}
		if len(now) > 0 && messages+g.messages > maxFillMessages {
			jobs, now, messages = append(jobs, now), nil, 0
		}
		now, messages, total = append(now, g), messages+g.messages, total+g.messages
		return nil
	})
	if err != nil || len(now) == 0 {
		return 0, err
	}
	return (&filler{address: a, source: source, report: report, total: total}).run(ctx, append(jobs, now))
}

// filler makes texts for searching on several connections.
type filler struct {
	address *postgres.Address
	source  int64
	report  data.Report
	total   int64
}

// filled is what one job did.
type filled struct {
	texts, messages int64
	err             error
}

// run does the jobs.
func (f *filler) run(ctx context.Context, jobs [][]fillGroup) (texts int64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue, done := make(chan []fillGroup), make(chan filled)
	var group parallel.Group
	for range min(fillConnections, len(jobs)) {
		group.Go(func() { f.work(ctx, queue, done) })
	}
	group.Go(func() {
		defer close(queue)
		for _, job := range jobs {
			select {
			case queue <- job:
			case <-ctx.Done():
				return
			}
		}
	})
	var messages int64
	for range jobs {
		var d filled
		select {
		case d = <-done:
		case <-ctx.Done():
			d.err = ctx.Err()
		}
		if d.err != nil {
			cancel()
			group.Wait()
			return texts, d.err
		}
		texts, messages = texts+d.texts, messages+d.messages
		if f.report != nil {
			f.report(int(messages), int(f.total), "making texts searchable")
		}
	}
	group.Wait()
	return texts, nil
}

// work does jobs until there are no more, on a connection of its own.
func (f *filler) work(ctx context.Context, queue <-chan []fillGroup, done chan<- filled) {
	conn, err := f.address.Connect(ctx)
	if err == nil {
		defer conn.Close()
	}
	indexer := &postgres.SearchIndexer{}
	for job := range queue {
		d := filled{err: err}
		if err == nil {
			d = f.job(ctx, conn, indexer, job)
		}
		select {
		case done <- d:
		case <-ctx.Done():
			return
		}
	}
}

// job makes the texts of some conversations in one transaction, which doesn't wait for the disk of the server, as slice.
func (f *filler) job(ctx context.Context, conn *postgres.Conn, indexer *postgres.SearchIndexer, job []fillGroup) (d filled) {
	for _, g := range job {
		d.messages += g.messages
	}
	b := &pieceBatch{conn: conn, indexer: indexer, source: f.source}
	d.err = conn.TransactBulk(ctx, "make searchable in", func() error {
		job, err := takeGroups(ctx, conn, f.source, job)
		if err != nil {
			return err
		}
		groups, froms := make([]int64, 0, len(job)), make([]int64, 0, len(job))
		for _, g := range job {
			groups, froms = append(groups, g.group), append(froms, g.from)
		}
		const remove = `DELETE FROM lcm.search_docs d USING unnest($2::bigint[], $3::bigint[]) g (sync_group, search_from)
			WHERE d.source_id = $1 AND d.sync_group = g.sync_group AND (d.message_id > g.search_from OR d.kind = 'summary' AND g.search_from = $4)`
		if _, err := conn.Exec(ctx, "make searchable in", remove, f.source, groups, froms, int64(math.MinInt64)); err != nil {
			return err
		}
		for _, g := range job {
			if err := b.addMessages(ctx, g); err != nil {
				return err
			}
		}
		if err := b.addSummaries(ctx, groups); err != nil {
			return err
		}
		const done = "UPDATE lcm.sync_conversations SET search_from = NULL WHERE source_id = $1 AND sync_group = ANY($2)"
		_, err = conn.Exec(ctx, "make searchable in", done, f.source, groups)
		return err
	})
	d.texts = b.texts
	return d
}

// takeGroups returns those of some conversations whose texts are still missing, and keeps others from changing them until the transaction
// ends: another sync may make them searchable in the same moment, or send more of them.
func takeGroups(ctx context.Context, conn *postgres.Conn, source int64, job []fillGroup) (out []fillGroup, err error) {
	groups := make([]int64, 0, len(job))
	for _, g := range job {
		groups = append(groups, g.group)
	}
	const query = `SELECT sync_group, search_from FROM lcm.sync_conversations WHERE source_id = $1 AND sync_group = ANY($2) AND search_from IS NOT NULL
		ORDER BY sync_group FOR UPDATE`
	err = conn.Query(ctx, "make searchable in", query, []any{source, groups}, func(scan postgres.Scanner) error {
		var g fillGroup
		err := scan(&g.group, &g.from)
		out = append(out, g)
		return err
	})
	return out, err
}

// pieceColumns are the columns of search_docs in the order of the rows of a pieceBatch.
var pieceColumns = []string{"source_id", "sync_group", "kind", "message_id", "summary_id", "at", "piece", "start_at", "pieces", "words", "content_tsv"}

// pieceBatch are pieces that are sent at once.
type pieceBatch struct {
	conn    *postgres.Conn
	indexer *postgres.SearchIndexer
	source  int64
	rows    [][]any
	texts   int64 // That have a row.
}

// fillPage is how many messages are read before their words are sent: the connection can do one at a time.
const fillPage = 300

// addMessages adds the messages of a conversation that are missing.
func (b *pieceBatch) addMessages(ctx context.Context, g fillGroup) error {
	const query = "SELECT message_id, content, created_at FROM lcm.messages WHERE source_id = $1 AND sync_group = $2 AND message_id > $3 ORDER BY message_id LIMIT $4"
	last := g.from
	for n := fillPage; n == fillPage; {
		n = 0
		err := b.conn.Query(ctx, "make searchable in", query, []any{b.source, g.group, last, fillPage}, func(scan postgres.Scanner) error {
			var content *string
			var at *time.Time
			n++
			if err := scan(&last, &content, &at); err != nil || content == nil {
				return err
			}
			if text, ok := data.MessageIndexText(*content).(string); ok {
				b.add(g.group, "message", last, nil, at, text)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(b.rows) < fillPage {
			continue
		}
		if err := b.send(ctx); err != nil {
			return err
		}
	}
	return nil
}

// addSummaries adds the summaries of conversations that are missing: those that changed were taken away with their rows. What was sent
// isn't missing any more.
func (b *pieceBatch) addSummaries(ctx context.Context, groups []int64) error {
	const query = `SELECT sync_group, summary_id, content, coalesce(latest_at, created_at) FROM lcm.summaries WHERE source_id = $1 AND sync_group = ANY($2) AND content <> ''
		AND summary_id NOT IN (SELECT d.summary_id FROM lcm.search_docs d WHERE d.source_id = $1 AND d.sync_group = ANY($2) AND d.kind = 'summary') LIMIT $3`
	for n := fillPage; n == fillPage; {
		if err := b.send(ctx); err != nil {
			return err
		}
		n = 0
		err := b.conn.Query(ctx, "make searchable in", query, []any{b.source, groups, fillPage}, func(scan postgres.Scanner) error {
			var group int64
			var summary, content string
			var at *time.Time
			n++
			err := scan(&group, &summary, &content, &at)
			b.add(group, "summary", nil, summary, at, content)
			return err
		})
		if err != nil {
			return err
		}
	}
	return b.send(ctx)
}

// add adds a text in pieces. One of message and summary is nil.
func (b *pieceBatch) add(group int64, kind string, message, summary any, at *time.Time, text string) {
	pieces := b.indexer.Pieces(text, postgres.SearchLabel(kind, b.source))
	b.texts += int64(min(1, len(pieces)))
	for i, p := range pieces {
		b.rows = append(b.rows, []any{b.source, group, kind, message, summary, at, int32(i), int32(p.Start), int32(len(pieces)), int32(p.Words), []byte(p.Vector)})
	}
}

// send sends the pieces.
func (b *pieceBatch) send(ctx context.Context) error {
	_, err := b.conn.Copy(ctx, "search_docs", pieceColumns, sequence(b.rows))
	clear(b.rows)
	b.rows = b.rows[:0]
	return err
}
