package integrity

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
)

// indexRow is what a search table holds of a summary.
type indexRow struct {
	rows     int
	textHash uint64
}

// readSummaryIndexes reads the search tables of summaries.
func (f *fileScan) readSummaryIndexes(ctx context.Context) error {
	f.summaryIndexes = map[string]map[string]indexRow{}
	for _, table := range []string{data.SummaryIndex, data.SummaryTrigrams} {
		if schema := f.db.Schema(); !schema.Searchable(table) || !schema.Has(table+"_content", "c1") {
			continue
		}
		rows := map[string]indexRow{}
		err := data.IndexedSummaries(ctx, f.db, table, f.Conversation, func(id, content string) {
			rows[id] = indexRow{rows[id].rows + 1, scan.Hash(content)}
		})
		if err != nil {
			return err
		}
		f.summaryIndexes[table] = rows
	}
	return nil
}

// checkSummaryIndexes compares a summary with its rows of the search tables.
func (r *summaryReader) checkSummaryIndexes(raw *lcm.RawSummary) {
	if rows, ok := r.file.summaryIndexes[data.SummaryIndex]; ok {
		switch in := rows[raw.ID]; {
		case in.rows == 0 && isBlank(raw.Content.Text):
		case in.rows != 1:
			r.found.add(SummaryIndexRowsWrong, summaryAt(raw.ID), fmt.Sprintf("summaries_fts has %d rows for it", in.rows))
		case in.textHash != scan.Hash(raw.Content.Text):
			r.found.add(SummaryIndexStale, summaryAt(raw.ID), "summaries_fts holds another text")
		}
	}
	if rows, ok := r.file.summaryIndexes[data.SummaryTrigrams]; ok {
		switch in := rows[raw.ID]; {
		case in.rows == 0 && isBlank(raw.Content.Text):
		case in.rows != 1:
			r.found.add(SummaryIndexStale, summaryAt(raw.ID), fmt.Sprintf("summaries_fts_cjk has %d rows for it", in.rows))
		case in.textHash != scan.Hash(raw.Content.Text):
			r.found.add(SummaryIndexStale, summaryAt(raw.ID), "summaries_fts_cjk holds another text")
		}
	}
}

// checkDanglingIndexRows finds rows of search tables without a message or summary.
func (c *storageCheck) checkDanglingIndexRows(ctx context.Context) error {
	for _, index := range []string{data.MessageIndex, data.SummaryIndex, data.SummaryTrigrams} {
		ids, err := data.OrphanIndexRows(ctx, c.file.db, index)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if index == data.MessageIndex {
				c.found.add(MessageIndexDangling, rowAt(index, id), "message "+id+" doesn't exist")
			} else {
				c.found.add(SummaryIndexRowsWrong, rowAt(index, id), "summary "+id+" doesn't exist")
			}
		}
	}
	return nil
}
