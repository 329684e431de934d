package repair_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestTheOrderOfAContext is that of what its places stand for; where a summary stands for
// nothing, nobody knows.
func TestTheOrderOfAContext(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		top   = "(SELECT summary_id FROM context_items WHERE conversation_id = 1 AND summary_id IS NOT NULL ORDER BY ordinal LIMIT 1)"
		first = "UPDATE context_items SET ordinal = 999 WHERE conversation_id = 1 AND ordinal = (SELECT min(ordinal) FROM context_items WHERE conversation_id = 1 AND message_id IS NOT NULL)"
		swap  = "UPDATE context_items SET ordinal = ordinal + 5000 WHERE conversation_id = 1 AND summary_id = " + top + "; " + first
		bare  = "DELETE FROM summary_parents WHERE summary_id = " + top + "; DELETE FROM summary_messages WHERE summary_id = " + top
	)
	for name, c := range map[string]struct {
		more    []string
		ordered bool
	}{
		"messages":                             {[]string{first}, true},
		"messages and a summary":               {[]string{swap}, true},
		"messages, and a summary of nothing":   {[]string{"UPDATE context_items SET ordinal = 500 WHERE conversation_id = 1 AND summary_id = " + top, first, bare}, false},
		"messages around a summary of nothing": {[]string{first, bare}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			altered(t, path, c.more...)
			db := open(t, path)
			before := count(check(t, db), "C08")
			p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.ContextOutOfOrder}}).Plan(t.Context(), db, noReport)
			if before == 0 {
				t.Fatal("it is in order")
			}
			var nothing *repair.NothingError
			if errors.As(err, &nothing) {
				if c.ordered || !strings.Contains(nothing.Hint(), "its position can't be found") {
					t.Error(nothing.Hint())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ops.Apply(t.Context(), db, p); err != nil {
				t.Fatal(err)
			}
			if after := count(check(t, open(t, path)), "C08"); (after == 0) != c.ordered {
				t.Errorf("%d before, %d after", before, after)
			}
		})
	}
}
