package transplant

import (
	"context"
	"fmt"
	"math"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// number gives the copied messages their ids and seqs, and the copied summaries their ids.
func (t *transfer) number(ctx context.Context) error {
	ends, err := lcm.ReadNextNumbers(ctx, t.targetDB, t.Target)
	if err != nil {
		return err
	}
	seqs, err := t.chooseSeqs(len(t.messages))
	if err != nil {
		return err
	}
	for i, r := range t.messages {
		old := data.CellInteger(r["message_id"])
		t.numbers[old], t.seqs[old] = ends.Message+int64(i), seqs[i]
	}
	t.plan.FirstMessage = ends.Message
	for _, n := range t.nodes {
		t.ids[n.ID] = "sum_" + t.targetDB.NewID()
	}
	t.guard()
	return nil
}

// chooseSeqs are n seqs, ascending, below all that the target has. Hosts take the
// message of the highest seq for the newest and look for that in the transcript, so
// nothing may come above it; between the others there is no room; and none may be
// moved, since focus briefs say up to which seq they know the conversation.
//
// That the lowest free ones are mostly below 1 is no matter to hosts: the column is
// any integer that is unique in its conversation, they append at the highest plus 1,
// order by it, and never count with it. 0 is left out, because programs take it for
// "no seq". Old messages below everything is also where their time puts them.
func (t *transfer) chooseSeqs(n int) ([]int64, error) {
	out := make([]int64, n)
	if len(t.targetMessages) == 0 {
		for i := range out {
			out[i] = int64(i) + 1
		}
		return out, nil
	}
	lowest := t.targetMessages[0].Seq
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
	last := data.CellTime(t.messages[len(t.messages)-1]["created_at"])
	if !last.After(t.targetMessages[0].CreatedAt.Time) {
		return ""
	}
	return ", although some of them are newer than the target's first"
}

// guard makes the plan stale when rows change that the ids and the search for duplicates
// rely on; what the target's host appends is behind all of them. The source needs no
// guard: what was read of it was true when it was read.
func (t *transfer) guard() {
	where := data.Row{"conversation_id": t.Target}
	g := change.Guard{Table: "messages", Where: where, Count: int64(len(t.targetMessages))}
	if len(t.targetMessages) > 0 {
		g.UpTo = data.Row{"seq": t.targetMessages[len(t.targetMessages)-1].Seq}
	}
	t.plan.Guards = append(t.plan.Guards, g)
	t.plan.Guard("summaries", where, t.targetSummaries)
}
