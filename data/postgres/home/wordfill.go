package home

import (
	"context"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// fillMessages is how many messages one transaction makes searchable: writes to their conversation wait for it.
const fillMessages = 500

// Filled is what MakeSearchable did.
type Filled struct {
	Conversations int
	Messages      int64 // Those that have no text, too.
	Summaries     int64
}

// MakeSearchable makes the texts searchable that an older home has, conversation by conversation. What was made when it ends early
// stays, and the next call goes on from there. Others can write meanwhile.
func MakeSearchable(ctx context.Context, c *postgres.Conn, report data.Report) (done Filled, err error) {
	var gaps []wordGap
	err = c.Query(ctx, "read", "SELECT conversation_id, search_from FROM home.search_gaps ORDER BY conversation_id", nil, func(scan postgres.Scanner) error {
		var g wordGap
		err := scan(&g.conversation, &g.from)
		gaps = append(gaps, g)
		return err
	})
	indexer := &postgres.SearchIndexer{}
	for i := range gaps {
		for more := true; more && err == nil; {
			more, err = gaps[i].fill(ctx, c, indexer, &done)
		}
		if err != nil {
			return done, err
		}
		if done.Conversations++; report != nil {
			report(i+1, len(gaps), "making texts searchable")
		}
	}
	return done, err
}

// wordGap is a conversation of which the messages after one aren't searchable yet, and no summary.
type wordGap struct{ conversation, from int64 }

// fill makes more of the messages searchable in one transaction, and with the last ones the summaries. It reports whether there are more.
func (g *wordGap) fill(ctx context.Context, c *postgres.Conn, indexer *postgres.SearchIndexer, done *Filled) (more bool, err error) {
	words, last := &wordStatements{indexer: indexer}, g.from
	n, summaries := 0, int64(0)
	err = c.Transact(ctx, "make searchable in", func() error {
		if err := c.Script(ctx, strings.Join(lockStatements([]int64{g.conversation}), "; ")); err != nil {
			return err
		}
		const query = "SELECT message_id, content, created_at FROM home.messages WHERE conversation_id = $1 AND message_id > $2 ORDER BY message_id LIMIT $3"
		err := c.Query(ctx, "make searchable in", query, []any{g.conversation, g.from, fillMessages}, func(scan postgres.Scanner) error {
			var content, at string
			err := scan(&last, &content, &at)
			written, _ := data.ParseTime(decodeText(at))
			words.add(data.HomeText{Message: last, At: written, Text: decodeText(content)})
			n++
			return err
		})
		if err != nil {
			return err
		}
		next := "UPDATE home.search_gaps SET search_from = $2 WHERE conversation_id = $1"
		if more = n == fillMessages; !more {
			next = "DELETE FROM home.search_gaps WHERE conversation_id = $1 AND search_from <= $2"
			if summaries, err = g.addSummaries(ctx, c, words); err != nil {
				return err
			}
		}
		if err := c.Script(ctx, strings.Join(words.statements(), "; ")); err != nil {
			return err
		}
		_, err = c.Exec(ctx, "make searchable in", next, g.conversation, last)
		return err
	})
	if err != nil {
		return false, err
	}
	g.from = last
	done.Messages, done.Summaries = done.Messages+int64(n), done.Summaries+summaries
	return more, nil
}

// addSummaries adds the words of the conversation's summaries.
func (g *wordGap) addSummaries(ctx context.Context, c *postgres.Conn, words *wordStatements) (n int64, err error) {
	const query = "SELECT summary_id, content FROM home.summaries WHERE conversation_id = $1"
	err = c.Query(ctx, "make searchable in", query, []any{g.conversation}, func(scan postgres.Scanner) error {
		var id, content string
		err := scan(&id, &content)
		words.add(data.HomeText{Summary: decodeText(id), Text: decodeText(content)})
		n++
		return err
	})
	return n, err
}
