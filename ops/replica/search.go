package replica

import (
	"context"

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
func fillSearch(ctx context.Context, a *postgres.Address, conn *postgres.Conn, source int64, report data.Report) (pieces int64, err error) {
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
	pieces, messages int64
	err              error
}

// run does the jobs.
func (f *filler) run(ctx context.Context, jobs [][]fillGroup) (pieces int64, err error) {
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
			return pieces, d.err
		}
		pieces, messages = pieces+d.pieces, messages+d.messages
		if f.report != nil {
			f.report(int(messages), int(f.total), "making texts searchable")
		}
	}
	group.Wait()
	return pieces, nil
}

// work does jobs until there are no more, on a connection of its own.
func (f *filler) work(ctx context.Context, queue <-chan []fillGroup, done chan<- filled) {
	conn, err := f.address.Connect(ctx)
	if err == nil {
		defer conn.Close()
	}
	for job := range queue {
		d := filled{err: err}
		if err == nil {
			d = f.job(ctx, conn, job)
		}
		select {
		case done <- d:
		case <-ctx.Done():
			return
		}
	}
}

// job makes the texts of some conversations in one transaction.
func (f *filler) job(ctx context.Context, conn *postgres.Conn, job []fillGroup) (d filled) {
	d.err = conn.Transact(ctx, "make searchable in", func() error {
		for _, g := range job {
			d.messages += g.messages
			n, err := fillConversation(ctx, conn, f.source, g)
			if err != nil {
				return err
			}
			d.pieces += n
		}
		return nil
	})
	return d
}

// pieceBatch are pieces that one statement sends.
type pieceBatch struct {
	kinds, summaries []string
	messages         []int64
	pieces, starts   []int32
	texts, bigrams   []string
}

// fillConversation makes the texts of one conversation that are missing. Those of its summaries are made again.
func fillConversation(ctx context.Context, conn *postgres.Conn, source int64, g fillGroup) (pieces int64, err error) {
	const remove = "DELETE FROM lcm.search_docs WHERE source_id = $1 AND sync_group = $2 AND (kind = 'summary' OR message_id > $3)"
	if _, err := conn.Exec(ctx, "make searchable in", remove, source, g.group, g.from); err != nil {
		return 0, err
	}
	for from := g.from; ; {
		const query = "SELECT message_id, content FROM lcm.messages WHERE source_id = $1 AND sync_group = $2 AND message_id > $3 ORDER BY message_id LIMIT $4"
		b, last := &pieceBatch{}, from
		err := conn.Query(ctx, "make searchable in", query, []any{source, g.group, from, fillPage}, func(scan postgres.Scanner) error {
			var content *string
			if err := scan(&last, &content); err != nil || content == nil {
				return err
			}
			if text, ok := data.MessageIndexText(*content).(string); ok {
				b.add("message", last, "", text)
			}
			return nil
		})
		if err == nil {
			err = b.insert(ctx, conn, source, g.group)
		}
		if pieces += int64(len(b.texts)); err != nil {
			return pieces, err
		}
		if last == from {
			break
		}
		from = last
	}
	b := &pieceBatch{}
	const query = "SELECT summary_id, content FROM lcm.summaries WHERE source_id = $1 AND sync_group = $2 AND content <> ''"
	err = conn.Query(ctx, "make searchable in", query, []any{source, g.group}, func(scan postgres.Scanner) error {
		var summary, content string
		err := scan(&summary, &content)
		b.add("summary", 0, summary, content)
		return err
	})
	if err == nil {
		err = b.insert(ctx, conn, source, g.group)
	}
	if pieces += int64(len(b.texts)); err != nil {
		return pieces, err
	}
	_, err = conn.Exec(ctx, "make searchable in", "UPDATE lcm.sync_conversations SET search_from = NULL WHERE source_id = $1 AND sync_group = $2", source, g.group)
	return pieces, err
}

// fillPage is how many messages are read before their words are sent: the connection can do one at a time.
const fillPage = 300

// add adds a text in pieces.
func (b *pieceBatch) add(kind string, message int64, summary, text string) {
	for i, p := range postgres.Pieces(text) {
		b.kinds, b.messages, b.summaries = append(b.kinds, kind), append(b.messages, message), append(b.summaries, summary)
		b.pieces, b.starts = append(b.pieces, int32(i)), append(b.starts, int32(p.Start))
		b.texts, b.bigrams = append(b.texts, p.Text), append(b.bigrams, postgres.Bigrams(p.Text))
	}
}

// insert sends the pieces; the server makes their words.
func (b *pieceBatch) insert(ctx context.Context, conn *postgres.Conn, source, group int64) error {
	if len(b.texts) == 0 {
		return nil
	}
	const insert = `INSERT INTO lcm.search_docs (source_id, sync_group, kind, message_id, summary_id, piece, start_at, content_tsv)
		SELECT $1, $2, kind, nullif(message_id, 0), CASE kind WHEN 'summary' THEN summary_id END, piece, start_at, to_tsvector('english', content) || bigrams::tsvector
		FROM unnest($3::text[], $4::bigint[], $5::text[], $6::integer[], $7::integer[], $8::text[], $9::text[]) AS p(kind, message_id, summary_id, piece, start_at, content, bigrams)`
	_, err := conn.Exec(ctx, "make searchable in", insert, source, group, b.kinds, b.messages, b.summaries, b.pieces, b.starts, b.texts, b.bigrams)
	return err
}
