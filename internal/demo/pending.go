package demo

import (
	"errors"
	"fmt"
	"time"

	"lcm-tui/internal/fakehost"
)

// WritePending makes the same file as Write as a host of the 1.0 generation would: for the
// conversation that is nearly full, it prepares summaries in the background. One of them is
// not written yet.
func WritePending(path string, now time.Time) error {
	d, err := write(path, fakehost.Beta, now)
	if err != nil {
		return err
	}
	h, err := fakehost.Start(path, fakehost.Config{FreshTailCount: 12, LeafChunkTokens: 10_000})
	if err == nil {
		err = errors.Join(prepare(h, d.full), h.Close())
	}
	if err != nil {
		return fmt.Errorf("write demonstration: %w", errors.Join(err, d.removeParts(path)))
	}
	return nil
}

// prepare plans summaries of a conversation, and writes the texts of all but the newest.
func prepare(h *fakehost.Host, conv int64) error {
	_, nodes, ok, err := h.Plan(conv)
	if err != nil || !ok {
		return errors.Join(err, errors.New("no summary could be planned"))
	}
	for _, table := range []string{"pending_compaction_batches", "pending_summary_nodes"} {
		if err := h.Exec("UPDATE "+table+" SET model = ?", model); err != nil {
			return err
		}
	}
	for i, n := range nodes[:len(nodes)-1] {
		n, ok, err := h.Claim(n)
		if err != nil || !ok {
			return errors.Join(err, fmt.Errorf("node %s has another owner", n.ID))
		}
		if err := h.Finish(n, logSummary(i)); err != nil {
			return err
		}
	}
	return nil
}

// logSummary returns the text of a prepared summary of the logs that the incident was about.
func logSummary(part int) string {
	start := "INC-81: search answers slowly in all regions since noon; the user wants to know when it began on each node."
	if part > 0 {
		start = "INC-81, continued: more logs of search nodes, read with journalctl from 11:30 on."
	}
	return start + "\n- Every log that was read shows the same: answers of 60 to 110 ms until 12:04, then of one second and more." +
		"\n- From that minute on the heap is 1.4 GB larger; search-eun-1 was the first node." +
		"\n- No change was made yet. Open: what happened at 12:04, and the deploy log of that time." +
		"\nExpand for details about: the answer times and the heap of each node, the commands that read the logs."
}
