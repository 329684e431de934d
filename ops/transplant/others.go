package transplant

import (
	"context"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// chooseOthers chooses the messages of the source that a host would miss in the target: it looks for
// a row with the hash of each message of the history, and for entries of the transcript by their ids.
// What is chosen already comes with the summaries and with the context.
func (s *selection) chooseOthers(ctx context.Context, from *source, to *target, plan *ops.Plan) error {
	hashes, entries := map[string]int{}, map[string]bool{} // Of the target's rows.
	err := lcm.EachRecognized(ctx, to.db, to.ID, func(m lcm.Recognized) error {
		hashes[m.Hash]++
		entries[m.Entry] = true
		return nil
	})
	if err != nil {
		return err
	}
	chosen := map[int64]bool{}
	for _, id := range s.messageIDs() {
		chosen[id.(int64)] = true
	}
	var rest []lcm.Recognized
	err = lcm.EachRecognized(ctx, from.db, from.ID, func(m lcm.Recognized) error {
		if m.Content = ""; chosen[m.ID] {
			return nil
		}
		rest = append(rest, m)
		return nil
	})
	for _, m := range rest {
		if m.Hash == "" || hashes[m.Hash] == 0 || m.Entry != "" && !entries[m.Entry] {
			s.others = append(s.others, m.ID)
			continue
		}
		hashes[m.Hash]--
	}
	if n := len(s.others); n > 0 {
		plan.Note(plural.Count(n, "message is", "messages are") + " copied that no context or summary leads to: the host doesn't store them again then")
	}
	return err
}
