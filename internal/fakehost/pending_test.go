package fakehost_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestFingerprintsOfTheReference: a batch that stands in a real file holds by our
// reckoning of its fingerprint, too.
func TestFingerprintsOfTheReference(t *testing.T) {
	t.Parallel()
	// The tail isn't the question here.
	h := start(t, testdb.Fixture(t, "v1.0/rich.db"), fakehost.Config{})
	var batches []string
	err := h.Each("SELECT batch_id FROM pending_compaction_batches WHERE status = 'planning' ORDER BY 1", nil, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		batches = append(batches, id)
		return err
	})
	if err != nil || len(batches) == 0 {
		t.Fatalf("%d batches: %v", len(batches), err)
	}
	for _, b := range batches {
		if why, err := h.Check(b); err != nil || why != "" {
			t.Errorf("%s: %s (%v)", b, why, err)
		}
	}
}

// prepared returns a host of 1.0 with a batch that is wholly ready.
func prepared(t *testing.T) (h *fakehost.Host, batch string) {
	t.Helper()
	h = begin(t, fakehost.Beta, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 40})
	must[[]int64](t)(h.Append(1, turns(0, 20, false)...))
	batch, nodes, ok, err := h.Plan(1)
	if err != nil || !ok || len(nodes) < 2 {
		t.Fatalf("%d nodes, planned %t: %v", len(nodes), ok, err)
	}
	for i, n := range nodes {
		n, ok, err := h.Claim(n)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if err := h.Finish(n, fmt.Sprintf("summary %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	return h, batch
}

func TestPublish(t *testing.T) {
	t.Parallel()
	h, batch := prepared(t)
	if why, err := h.Check(batch); why != "" || err != nil {
		t.Fatal(why, err)
	}
	if err := h.Publish(batch); err != nil {
		t.Fatal(err)
	}
	covered := number(t, h, "SELECT count(*) FROM summary_messages") + number(t, h, "SELECT count(message_id) FROM context_items")
	if covered != 20 {
		t.Errorf("%d of 20 messages are in the context or below it", covered)
	}
	if gaps := number(t, h, "SELECT max(ordinal) + 1 - count(*) FROM context_items"); gaps != 0 {
		t.Errorf("%d gaps", gaps)
	}
	if n := number(t, h, "SELECT count(*) FROM pending_summary_nodes WHERE status = 'promoted' AND content IS NULL"); n == 0 {
		t.Error("no node is promoted")
	}
}

// TestPublishOfAChangedRange: a change is noticed before the publication, and not in it.
func TestPublishOfAChangedRange(t *testing.T) {
	t.Parallel()
	h, batch := prepared(t)
	if err := h.Exec("UPDATE messages SET content = 'else' WHERE seq = 2"); err != nil {
		t.Fatal(err)
	}
	if why, err := h.Check(batch); err != nil || why != "source projection fingerprint changed before publish" {
		t.Errorf("%q, %v", why, err)
	}
	was := contextOf(t, h, 1, nil)
	if err := h.Publish(batch); !errors.Is(err, fakehost.ErrNotReady) {
		t.Errorf("a stale batch: %v", err)
	}
	if diff := cmp.Diff(was, contextOf(t, h, 1, nil)); diff != "" {
		t.Error(diff)
	}
}

// TestPublishLosesWhatChangedSinceTheCheck: the host's own moment of weakness, which
// other programs must close by making the batch stale.
func TestPublishLosesWhatChangedSinceTheCheck(t *testing.T) {
	t.Parallel()
	h, batch := prepared(t)
	if why, err := h.Check(batch); why != "" || err != nil {
		t.Fatal(why, err)
	}
	c, _, err := h.Choose(1, 0, 9)
	if err != nil {
		t.Fatal(err)
	}
	must[string](t)(h.Write(c, "another program's summary"))
	if err := h.Publish(batch); err != nil {
		t.Fatal(err)
	}
	const lost = `SELECT count(*) FROM messages m WHERE NOT EXISTS (SELECT 1 FROM context_items c WHERE c.message_id = m.message_id)
		AND NOT EXISTS (SELECT 1 FROM context_items c JOIN summary_messages s USING (summary_id) WHERE s.message_id = m.message_id)`
	if number(t, h, lost) == 0 {
		t.Error("nothing is lost: this host is kinder than the real one")
	}
}
