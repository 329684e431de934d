package transplant

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// duplicates are what the target already has of the source.
type duplicates struct {
	summaries  map[string]string // Ids in the target, by the source's.
	messages   map[int64]int64   // Ids in the target, by the source's.
	referenced map[int64]bool    // The target's messages that its context or a summary of it leads to.
	tokens     map[int64]int64   // Tokens of those messages of the source.
}

// findDuplicates finds what the target already has of the source.
func findDuplicates(ctx context.Context, from *source, to *target) (d duplicates, err error) {
	if d.summaries, err = duplicateSummaries(ctx, from, to); err != nil {
		return d, err
	}
	if err = d.findMessages(ctx, from, to); err != nil {
		return d, err
	}
	d.referenced, err = to.referenced(ctx)
	return d, err
}

// hasMost reports whether the target covers at least half of the messages of a leaf.
func (d *duplicates) hasMost(links []lcm.MessageLink) bool {
	present := 0
	for _, l := range links {
		if d.covers(l.Message) {
			present++
		}
	}
	return present > 0 && 2*present >= len(links)
}

// covers reports whether the target's context or a summary of it leads to a message.
func (d *duplicates) covers(message int64) bool {
	id, ok := d.messages[message]
	return ok && d.referenced[id]
}

// unlinkedTokens sums the tokens of the messages that a leaf isn't linked to any more, because
// the target already covers them.
func (d *duplicates) unlinkedTokens(links []lcm.MessageLink) (tokens int64) {
	for _, l := range links {
		if d.covers(l.Message) {
			tokens += d.tokens[l.Message]
		}
	}
	return tokens
}

// shortText is the length in bytes up to which two different summaries may have the same
// text, such as a mark of where something was cut off: their times must be the same too.
const shortText = 40

// fingerprint returns what two copies of one summary have in common.
func fingerprint(s lcm.Summary) string {
	text := withoutFileIDs(strings.TrimSpace(s.Content))
	if len(text) > shortText {
		return text
	}
	return text + "\x00" + s.EarliestAt.Time.String() + "\x00" + s.LatestAt.Time.String()
}

// duplicateSummaries returns the ids of the target's summaries with the same text, by the ids
// of the source's.
func duplicateSummaries(ctx context.Context, from *source, to *target) (map[string]string, error) {
	found := map[string]string{}
	own, err := lcm.Summaries(ctx, to.db, to.ID, data.WholeText)
	to.summaries = len(own)
	if err != nil || len(own) == 0 {
		return found, err
	}
	by := make(map[string]string, len(own))
	for _, s := range own {
		by[fingerprint(s)] = s.ID
	}
	all, err := lcm.Summaries(ctx, from.db, from.ID, data.WholeText)
	for _, s := range all {
		if id := by[fingerprint(s)]; id != "" {
			found[s.ID] = id
		}
	}
	return found, err
}

// roleAndTime is what two rows of one message have in common, apart from their text.
type roleAndTime struct {
	role string
	at   time.Time
}

// findMessages finds the ids of the target's messages with the same role, text and time,
// by the ids of the source's. Only texts of messages with the same role and time are
// read.
func (d *duplicates) findMessages(ctx context.Context, from *source, to *target) error {
	headers, err := lcm.MessageHeaders(ctx, from.db, from.ID)
	if err != nil {
		return err
	}
	own := map[roleAndTime][]int64{}
	for _, m := range to.messages {
		if m.CreatedAt.Valid() {
			own[roleAndTime{m.Role, m.CreatedAt.Time}] = append(own[roleAndTime{m.Role, m.CreatedAt.Time}], m.ID)
		}
	}
	likely := map[int64][]int64{}
	var mine, theirs []any
	for _, m := range headers {
		if ids := own[roleAndTime{m.Role, m.CreatedAt.Time}]; len(ids) > 0 {
			likely[m.ID] = ids
			mine = append(mine, m.ID)
			for _, id := range ids {
				theirs = append(theirs, id)
			}
		}
	}
	sort.Slice(theirs, func(i, j int) bool { return theirs[i].(int64) < theirs[j].(int64) })
	originals, err := readContents(ctx, from.db, mine)
	if err != nil {
		return err
	}
	copies, err := readContents(ctx, to.db, slices.Compact(theirs))
	d.keepSame(likely, originals, copies)
	return err
}

// keepSame keeps the likely duplicates whose texts are the same.
func (d *duplicates) keepSame(likely map[int64][]int64, originals, copies map[int64]messageContent) {
	d.messages, d.tokens = map[int64]int64{}, map[int64]int64{}
	for id, ids := range likely {
		for _, other := range ids {
			if originals[id].same(copies[other]) {
				d.messages[id], d.tokens[id] = other, originals[id].tokens
				break
			}
		}
	}
}

// messageContent is what is compared of two messages.
type messageContent struct {
	text, hash string
	tokens     int64
}

// readContents reads the contents of messages.
func readContents(ctx context.Context, db *data.DB, ids []any) (map[int64]messageContent, error) {
	out := map[int64]messageContent{}
	err := data.EachImage(ctx, db, "messages", "message_id", ids, func(r data.Row) { out[data.CellInteger(r["message_id"])] = contentOf(r) })
	if err != nil {
		return nil, err
	}
	return out, readWordless(ctx, db, out)
}

// readWordless gives the messages without a text what their parts say: many hold nothing but calls of tools. Their hashes are
// all the same.
func readWordless(ctx context.Context, db *data.DB, contents map[int64]messageContent) error {
	var wordless []any
	for id, c := range contents {
		if c.text == "" {
			wordless = append(wordless, id)
		}
	}
	parts := map[int64][]string{}
	err := data.EachImage(ctx, db, "message_parts", "message_id", wordless, func(r data.Row) {
		text := strings.Builder{}
		for _, column := range []string{"ordinal", "part_type", "text_content", "tool_call_id", "tool_name", "tool_input"} {
			text.WriteString(data.CellText(r[column]) + "\x00")
		}
		id := data.CellInteger(r["message_id"])
		parts[id] = append(parts[id], text.String())
	}, "message_id", "ordinal", "part_type", "text_content", "tool_call_id", "tool_name", "tool_input")
	for id, c := range contents {
		if c.text == "" {
			slices.Sort(parts[id]) // Their ids, by which they were read, mean nothing.
			contents[id] = messageContent{text: "\x00" + withoutFileIDs(strings.Join(parts[id], "")), tokens: c.tokens}
		}
	}
	return err
}

func contentOf(r data.Row) messageContent {
	return messageContent{withoutFileIDs(strings.TrimSpace(data.CellText(r["content"]))), data.CellText(r["identity_hash"]), data.CellInteger(r["token_count"])}
}

// same reports whether two messages of one role and time are the same.
func (s messageContent) same(o messageContent) bool {
	return s.text == o.text || s.hash != "" && s.hash == o.hash
}

// withoutFileIDs returns a text in which all files have the same id: copies of a text differ
// in nothing else.
func withoutFileIDs(text string) string {
	return lcm.ReplaceFileIDs(text, func(string) string { return lcm.FileIDPrefix })
}
