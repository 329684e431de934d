package change

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

// releaseEntries clears the transcript entry of each message that loses it to another one in
// the same batch. Rows are deleted after others are updated, and an entry may be in one row
// of a conversation only. It returns the number of statements that it ran.
func releaseEntries(ctx context.Context, t *tx, cs []Change) (made int64, err error) {
	const column = "transcript_entry_id"
	if !t.Schema.Has("messages", column) {
		return 0, nil
	}
	taken := map[any]bool{}
	for _, c := range cs {
		if entry, ok := c.After[column].(string); c.Table == "messages" && ok && !data.SameValue(c.Before[column], entry) {
			taken[entry] = true
		}
	}
	for _, c := range cs {
		entry, ok := c.Before[column].(string)
		if c.Table != "messages" || !ok || !taken[entry] || c.After != nil && data.SameValue(c.After[column], entry) {
			continue
		}
		where, args := data.WhereSQL(c.Before.Pick(c.Key))
		if _, err := exec(ctx, t, "UPDATE messages SET "+column+" = NULL"+where, args...); err != nil {
			return made, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		made++
	}
	return made, nil
}
