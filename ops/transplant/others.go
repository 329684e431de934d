package transplant

import (
	"context"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// chooseOthers chooses the messages of the source that a host would miss in the target: it looks for
// a row with the hash of each message of the history, and for entries of the transcript by their ids.
// What is chosen already comes with the summaries and with the context.
func (t *transfer) chooseOthers(ctx context.Context) error {
	if !t.All {
		return nil
	}
	hashes, entries := map[string]int{}, map[string]bool{} // Of the target's rows.
	err := lcm.EachRecognized(ctx, t.targetDB, t.Target, func(m lcm.Recognized) error {
		hashes[m.Hash]++
		entries[m.Entry] = true
		return nil
	})
	if err != nil {
		return err
	}
	chosen := map[int64]bool{}
	for _, id := range t.messagesToCopy() {
		chosen[id.(int64)] = true
	}
	var rest []lcm.Recognized
	err = lcm.EachRecognized(ctx, t.sourceDB, t.Source, func(m lcm.Recognized) error {
		if m.Content = ""; chosen[m.ID] {
			return nil
		}
		rest = append(rest, m)
		return nil
	})
	for _, m := range rest {
		if m.Hash == "" || hashes[m.Hash] == 0 || m.Entry != "" && !entries[m.Entry] {
			t.others = append(t.others, m.ID)
			continue
		}
		hashes[m.Hash]--
	}
	if n := len(t.others); n > 0 {
		t.plan.Note(plural.Count(n, "message is", "messages are") + " copied that no context or summary leads to: the host doesn't store them again then")
	}
	return err
}
