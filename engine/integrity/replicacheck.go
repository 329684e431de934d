package integrity

import (
	"context"
	"encoding/json"
	"slices"

	"lcm-tui/data"
)

// foundAtFile are the faults that only a check of the file itself shows: a replica has what its machine found.
var foundAtFile = []FaultID{
	PagesDamaged, ReferenceDangling, TablesIncomplete, TrashMissing, LogLargerThanFile, BackupReadable, SecretStored, FileWrong, FileUnreferenced,
	MessageNotIndexed, MessageIndexDangling, MessageIndexStale, SummaryIndexRowsWrong, SummaryIndexStale, SearchTableDamaged,
}

// replicaSteps returns what is checked of a replica: what its rows show now, and of the file what its machine found. Where the
// messages aren't sent, all is from there: without them the rows would look damaged. A home has no such machine.
func (c *checker) replicaSteps(r *data.Replica, steps []step) []step {
	if r.Home != nil {
		return steps
	}
	sent := []step{{"what the machine of the file found", func(ctx context.Context) error { return c.addSent(ctx, r) }, false}}
	if r.OnlySummaries {
		return sent
	}
	return append(steps, sent...)
}

// addSent adds what the machine of a replica found, but for what was found in the replica itself.
func (c *checker) addSent(ctx context.Context, r *data.Replica) error {
	sent, _, err := r.Findings(ctx)
	if err != nil {
		return err
	}
	type key struct {
		fault        FaultID
		conversation int64
		table, row   string
	}
	known := map[key]bool{}
	for _, f := range c.found.list {
		known[key{f.Fault, f.Conversation, f.Table, f.Row}] = true
	}
	for _, text := range sent {
		f := &Finding{}
		if json.Unmarshal(text, f) != nil || byID[f.Fault].ID == "" { // A newer version of this program made it.
			continue
		}
		switch isOfFile := slices.Contains(foundAtFile, f.Fault); {
		case !isOfFile && !r.OnlySummaries, known[key{f.Fault, f.Conversation, f.Table, f.Row}]:
		case c.file.Conversation == 0, f.Conversation == c.file.Conversation:
			c.found.list = append(c.found.list, f)
		}
	}
	return nil
}
