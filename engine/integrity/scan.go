package integrity

import (
	"context"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
)

// scanConversation checks one conversation: it reads its rows, then compares them.
func (c *checker) scanConversation(ctx context.Context, row lcm.RawConversation) (*findings, error) {
	found, file := &findings{conv: row.ID}, c.file
	v := scan.NewConversation(row, file.incomingLinks[row.ID])
	mentions := scan.NewFileMentions(file.filesOf[row.ID])
	summaries := &summaryReader{found: found, file: file, rows: v, mentions: mentions}
	messages := &messageReader{found: found, file: file, conv: row.ID, mentions: mentions, entryOwners: map[string]int64{}}
	parts := &partReader{found: found, schema: file.db.Schema(), mentions: mentions, hashesCalls: len(file.anchors.imported) > 0}
	steps := []func(context.Context) error{func(ctx context.Context) error {
		if err := summaries.readSummaries(ctx); err != nil {
			return err
		}
		return v.ReadContext(ctx, file.db, file.hostState, file.emptied[row.ID])
	}}
	if file.needs(ContentScope) {
		steps = append(steps, messages.readMessages, func(ctx context.Context) error { return parts.readParts(ctx, file.db, row.ID) })
	}
	if err := runParallel(ctx, steps...); err != nil {
		return nil, err
	}
	v.Messages = messages.messages
	v.AttachParts(parts.byMessage)
	v.ConnectSummaries()
	(&contextCheck{found, file, v}).checkContext()
	(&lineageCheck{found, file, v}).checkLineage()
	(&messageCheck{found: found, file: file, rows: v, unusualMessages: messages.unusual, media: parts.media}).checkMessages()
	(&summaryCheck{found, file, v, summaries.equalTexts, summaries.unknownModel}).checkSummaries()
	(&rowCheck{found, file, v}).checkConversationRow()
	host := hostStateCheck{found, file, v}
	host.checkHostState()
	if err := host.checkFocusBriefs(ctx); err != nil {
		return nil, err
	}
	files := largeFileCheck{found: found, conv: row.ID, folder: file.FilesDir, unreferenced: mentions.Unreferenced}
	return found, files.checkFiles(ctx, file.db)
}
