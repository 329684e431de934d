package change

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
)

// coveredMessages is what a write must not make worse: the ids of the messages that can be reached from a
// context, by conversation. Foreign keys need no check: they are enforced on the writing connection,
// so no statement can add a violation, and violations that the file already has are left alone.
type coveredMessages map[int64]map[int64]bool

// readCoverage reads what is covered in conversations.
func readCoverage(ctx context.Context, t *tx, convs []int64) (c coveredMessages, err error) {
	c = coveredMessages{}
	for _, conv := range convs {
		if c[conv], err = covered(ctx, t, conv); err != nil {
			return c, err
		}
	}
	return c, nil
}

// CoveredSQL asks for the messages of a conversation (?1) that can be reached from its context.
const CoveredSQL = `WITH RECURSIVE below(id) AS (
	SELECT s.summary_id FROM context_items ci JOIN summaries s ON s.summary_id = ci.summary_id WHERE ci.conversation_id = ?1
	UNION
	SELECT s.summary_id FROM below CROSS JOIN summary_parents p ON p.summary_id = below.id
		CROSS JOIN summaries s ON s.summary_id = p.parent_summary_id)
	SELECT m.message_id FROM (
		SELECT message_id FROM context_items WHERE conversation_id = ?1 AND message_id IS NOT NULL
		UNION SELECT l.message_id FROM below CROSS JOIN summary_messages l ON l.summary_id = below.id
	) x CROSS JOIN messages m ON m.message_id = x.message_id WHERE m.conversation_id = ?1`

// covered returns the messages of a conversation that can be reached from its context,
// directly or through summaries. A row that doesn't exist, or is another conversation's,
// covers nothing.
func covered(ctx context.Context, t *tx, conv int64) (map[int64]bool, error) {
	if known, ok := t.reach[conv]; ok {
		return maps.Clone(known), nil
	}
	out := map[int64]bool{}
	err := data.EachRow(ctx, t, "SELECT group_concat(message_id) FROM ("+CoveredSQL+")", []any{conv}, func(scan data.RowScanner) error {
		var ids data.Text // One row for all: each row that SQLite returns takes longer than to read it.
		err := scan(&ids)
		for id := range strings.SplitSeq(string(ids), ",") {
			if n, err := strconv.ParseInt(id, 10, 64); err == nil {
				out[n] = true
			}
		}
		return err
	})
	if err == nil {
		if t.reach == nil {
			t.reach = map[int64]map[int64]bool{}
		}
		t.reach[conv] = maps.Clone(out)
	}
	return out, err
}

// checkCoverage fails if a message that was covered no longer is.
func checkCoverage(ctx context.Context, t *tx, was coveredMessages) error {
	convs := slices.Sorted(maps.Keys(was))
	is, err := readCoverage(ctx, t, convs)
	if err != nil {
		return err
	}
	for _, conv := range convs {
		lost, err := countLost(ctx, t, conv, was[conv], is)
		if err != nil {
			return err
		}
		if lost > 0 {
			return &data.InvariantError{What: fmt.Sprintf("%d messages of conversation %d could no longer be reached from its context", lost, conv)}
		}
	}
	return nil
}

// countLost counts the messages that were covered and aren't any more. A message that moved to
// another conversation has to be covered there. A message that was deleted isn't lost: the
// plan lists it.
func countLost(ctx context.Context, t *tx, conv int64, was map[int64]bool, is coveredMessages) (n int, err error) {
	for id := range was {
		if is[conv][id] {
			continue
		}
		r, err := t.Row(ctx, "messages", data.Row{"message_id": id}, []string{"conversation_id"})
		if err != nil {
			return 0, err
		}
		if r != nil && !is[data.CellInteger(r["conversation_id"])][id] {
			n++
		}
	}
	return n, nil
}

// placed is a message or a summary in the context of a conversation.
type placed struct {
	conv int64
	ref  any // The message_id as int64, or the summary_id as string.
}

// placedBy returns what a row of context_items puts into its context; ok is false where the row isn't as a host writes it.
func placedBy(item data.Row) (p placed, ok bool) {
	if p.conv, ok = item[conversationColumn].(int64); !ok {
		return p, false
	}
	message, isMessage := item["message_id"].(int64)
	summary, isSummary := item["summary_id"].(string)
	if p.ref = any(message); isSummary {
		p.ref = summary
	}
	return p, isMessage != isSummary && (isMessage || item["message_id"] == nil) && (isSummary || item["summary_id"] == nil)
}

// keepsReach reports whether changes show by themselves that all stays within reach of its context, as those of a compaction do:
// only items of contexts go, and each is below a new summary that comes. The file need not be asked then, which takes long where a
// conversation is long.
func keepsReach(cs []Change) bool {
	r := reach{gone: map[placed]bool{}, come: map[placed]bool{}, isNew: map[string]bool{}, below: map[string][]any{}}
	for _, c := range cs {
		if !r.add(c) {
			return false
		}
	}
	r.follow()
	for p := range r.gone {
		if !r.come[p] {
			return false
		}
	}
	return true
}

// reach is what changes take out of contexts, and what they put into them.
type reach struct {
	gone, come map[placed]bool
	isNew      map[string]bool  // Summaries.
	below      map[string][]any // What new rows put directly below summaries.
}

// add takes up a change, and reports whether what it does to contexts can be seen from it.
func (r *reach) add(c Change) bool {
	switch {
	case c.Table == "context_items":
		was, known := placedBy(c.Before)
		is, also := placedBy(c.After)
		if !known && c.Before != nil || !also && c.After != nil {
			return false
		}
		if known {
			r.gone[was] = true
		}
		if also {
			r.come[is] = true
		}
	case mayUnlink(c):
		return false
	case c.Before != nil || c.After == nil:
	default:
		id, _ := c.After["summary_id"].(string)
		message, isMessage := c.After["message_id"].(int64)
		summary, isSummary := c.After["parent_summary_id"].(string)
		switch {
		case c.Table == "summaries":
			r.isNew[id] = true
		case c.Table == "summary_messages" && isMessage:
			r.below[id] = append(r.below[id], message)
		case c.Table == "summary_parents" && isSummary:
			r.below[id] = append(r.below[id], summary)
		}
	}
	return true
}

// follow adds to what comes into contexts what new summaries among it cover. What others cover isn't known here.
func (r *reach) follow() {
	next := slices.Collect(maps.Keys(r.come))
	for len(next) > 0 {
		p := next[len(next)-1]
		next = next[:len(next)-1]
		id, ok := p.ref.(string)
		if !ok || !r.isNew[id] {
			continue
		}
		for _, ref := range r.below[id] {
			if b := (placed{p.conv, ref}); !r.come[b] {
				r.come[b] = true
				next = append(next, b)
			}
		}
	}
}

// affectedConversations returns the conversations whose context or summaries the changes
// concern.
func affectedConversations(ctx context.Context, t *tx, cs []Change) ([]int64, error) {
	convs := map[int64]bool{}
	owners := map[string]bool{}
	for _, c := range cs {
		for _, r := range []data.Row{c.Before, c.After} {
			if id, ok := r["conversation_id"]; ok {
				convs[data.CellInteger(id)] = true
			} else if id, ok := r["summary_id"].(string); ok {
				owners[id] = true
			}
		}
	}
	for id := range owners {
		err := data.EachRow(ctx, t, "SELECT conversation_id FROM summaries WHERE summary_id IS ?", []any{id}, func(scan data.RowScanner) error {
			var conv data.Integer
			err := scan(&conv)
			convs[int64(conv)] = true
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(convs)), nil
}

// isAppendOnly reports whether the changes only add items at the ends of contexts, without
// gaps.
func isAppendOnly(ctx context.Context, t *tx, cs []Change) (bool, error) {
	items := map[int64][]Change{} // By conversation.
	for _, c := range cs {
		if c.Table != "context_items" || c.IsUnchanged() {
			continue
		}
		if c.Before != nil {
			return false, nil
		}
		conv := data.CellInteger(c.After["conversation_id"])
		items[conv] = append(items[conv], c)
	}
	for conv, cs := range items {
		var next data.Integer
		const query = "SELECT coalesce(max(ordinal), -1) + 1 FROM context_items WHERE conversation_id = ?"
		if err := t.QueryRowContext(ctx, query, conv).Scan(&next); err != nil || !addsItems(cs, int64(next)) {
			return false, err
		}
	}
	return true, nil
}
