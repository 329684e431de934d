package transplant

import (
	"context"
	"fmt"
	"maps"
	"math"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// numbering says which ids and seqs the copies get, by the ids of the originals.
type numbering struct {
	summaries map[string]string
	messages  map[int64]int64 // The target's own, where a copied leaf is linked to one of them.
	seqs      map[int64]int64
}

// assignNumbers gives the copied messages their ids and seqs, and the copied summaries their ids.
func (t *transfer) assignNumbers(ctx context.Context) error {
	ends, err := lcm.ReadNextNumbers(ctx, t.target.db, t.Target)
	if err != nil {
		return err
	}
	seqs, err := t.chooseSeqs()
	if err != nil {
		return err
	}
	t.numbers = numbering{summaries: map[string]string{}, messages: maps.Clone(t.selection.reused), seqs: map[int64]int64{}}
	for i, r := range t.originals.messages {
		old := data.CellInteger(r["message_id"])
		t.numbers.messages[old], t.numbers.seqs[old] = ends.Message+int64(i), seqs[i]
	}
	t.plan.FirstMessage = ends.Message
	for _, n := range t.selection.nodes {
		t.numbers.summaries[n.ID] = "sum_" + t.target.db.NewID()
	}
	t.target.guard(t.plan)
	return nil
}

// chooseSeqs returns n seqs, ascending, below all that the target has. Hosts take the
// message of the highest seq for the newest and look for that in the transcript, so
// nothing may come above it; between the others there is no room; and none may be
// moved, since focus briefs say up to which seq they know the conversation.
//
// That the lowest free ones are mostly below 1 is no matter to hosts: the column is
// any integer that is unique in its conversation, they append at the highest plus 1,
// order by it, and never count with it. 0 is left out, because programs take it for
// "no seq". Old messages below everything is also where their time puts them.
func (t *transfer) chooseSeqs() ([]int64, error) {
	n := len(t.originals.messages)
	out := make([]int64, n)
	if len(t.target.messages) == 0 {
		for i := range out {
			out[i] = int64(i) + 1
		}
		return out, nil
	}
	lowest := t.target.messages[0].Seq
	if lowest < math.MinInt64+int64(n)+2 {
		return nil, t.refuse(fmt.Sprintf("its first message has the seq %d, below which there is no room", lowest), "repair that message's seq first")
	}
	for i := n - 1; i >= 0; i-- {
		if lowest--; lowest == 0 {
			lowest--
		}
		out[i] = lowest
	}
	if n > 0 {
		t.plan.Note(fmt.Sprintf("the copied messages get the seqs %d … %d, below the target's own, whose newest message stays the newest%s", out[0], out[n-1], t.orderNote()))
	}
	return out, nil
}

// orderNote says that some copied messages are newer than the target's first, which stands
// behind them; empty where none is.
func (t *transfer) orderNote() string {
	last := data.CellTime(t.originals.messages[len(t.originals.messages)-1]["created_at"])
	if !last.After(t.target.messages[0].CreatedAt.Time) {
		return ""
	}
	return ", although some of them are newer than the target's first"
}
