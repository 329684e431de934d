package integrity

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

// indexed is what a search table of summaries holds of one.
type indexed struct {
	rows int
	text uint64
}

// indexes reads the search tables of summaries.
func (c *checker) indexes(ctx context.Context) error {
	c.index = map[string]map[string]indexed{}
	for _, table := range []string{data.SummaryIndex, data.SummaryTrigrams} {
		if s := c.db.Schema(); !s.Searchable(table) || !s.Has(table+"_content", "c1") {
			continue
		}
		rows := map[string]indexed{}
		err := c.db.IndexedSummaries(ctx, table, c.Conversation, func(id, content string) {
			rows[id] = indexed{rows[id].rows + 1, hash(content)}
		})
		if err != nil {
			return err
		}
		c.index[table] = rows
	}
	return nil
}

// searched: what searches go by, of one summary.
func (t *talk) searched(s *data.RawSummary) {
	if rows, ok := t.index[data.SummaryIndex]; ok {
		switch in := rows[s.ID]; {
		case in.rows == 0 && isBlank(s.Content.Text):
		case in.rows != 1:
			t.add(SummaryIndexRowsWrong, summary(s.ID), fmt.Sprintf("%d rows of summaries_fts are about it", in.rows))
		case in.text != hash(s.Content.Text):
			t.add(SummaryIndexStale, summary(s.ID), "summaries_fts holds another text")
		}
	}
	if rows, ok := t.index[data.SummaryTrigrams]; ok {
		switch in := rows[s.ID]; {
		case in.rows == 0 && isBlank(s.Content.Text):
		case in.rows != 1:
			t.add(SummaryIndexStale, summary(s.ID), fmt.Sprintf("%d rows of summaries_fts_cjk are about it", in.rows))
		case in.text != hash(s.Content.Text):
			t.add(SummaryIndexStale, summary(s.ID), "summaries_fts_cjk holds another text")
		}
	}
}

// stray: rows of search tables about what doesn't exist.
func (c *checker) stray(ctx context.Context) error {
	for _, index := range []string{data.MessageIndex, data.SummaryIndex, data.SummaryTrigrams} {
		ids, err := c.db.OrphanIndexRows(ctx, index)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if index == data.MessageIndex {
				c.add(MessageIndexDangling, row(index, id), "message "+id+" doesn't exist")
			} else {
				c.add(SummaryIndexRowsWrong, row(index, id), "summary "+id+" doesn't exist")
			}
		}
	}
	return nil
}
