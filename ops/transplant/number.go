package transplant

import (
	"context"
	"fmt"
	"math"

	"lcm-tui/data"
)

// number gives the carried messages their numbers and seqs, and the summaries their
// ids.
func (t *transfer) number(ctx context.Context) error {
	ends, err := t.to.NextNumbers(ctx, t.Target)
	if err != nil {
		return err
	}
	seqs, err := t.freeSeqs(len(t.messages))
	if err != nil {
		return err
	}
	for i, r := range t.messages {
		old := data.CellInteger(r["message_id"])
		t.numbers[old], t.seqs[old] = ends.Message+int64(i), seqs[i]
	}
	t.plan.FirstMessage = ends.Message
	for _, n := range t.nodes {
		t.ids[n.ID] = "sum_" + t.to.NewID()
	}
	t.guard()
	return nil
}

// freeSeqs are n seqs, ascending, below all that the target has. Hosts take the
// message of the highest seq for the newest and look for that in the transcript, so
// nothing may come above it; between the others there is no room; and none may be
// moved, since focus briefs say up to which seq they know the conversation.
//
// That the lowest free ones are mostly below 1 is no matter to hosts: the column is
// any integer that is unique in its conversation, they append at the highest plus 1,
// order by it, and never count with it. 0 is left out, because programs take it for
// "no seq". Old memory below everything is also where its time puts it.
func (t *transfer) freeSeqs(n int) ([]int64, error) {
	out := make([]int64, n)
	if len(t.own) == 0 {
		for i := range out {
			out[i] = int64(i) + 1
		}
		return out, nil
	}
	lowest := t.own[0].Seq
	if lowest < math.MinInt64+int64(n)+2 {
		return nil, t.refuse(fmt.Sprintf("its first message has the seq %d, below which there is no room", lowest), "mend that message's seq first")
	}
	for i := n - 1; i >= 0; i-- {
		if lowest--; lowest == 0 {
			lowest--
		}
		out[i] = lowest
	}
	if n > 0 {
		t.plan.Note(fmt.Sprintf("the carried messages get the seqs %d … %d, below the target's own, whose newest message stays the newest%s", out[0], out[n-1], t.although()))
	}
	return out, nil
}

// although says that the carried messages don't stand where their time would put
// them, if so.
func (t *transfer) although() string {
	last := data.CellTime(t.messages[len(t.messages)-1]["created_at"])
	if !last.After(t.own[0].CreatedAt.Time) {
		return ""
	}
	return ", although some of them were said after the target's first"
}

// guard holds what the numbers and the search for duplicates rely on; what the target's
// host appends is behind all of it. The source
// needs no guard: what was read of it stays true of the time when it was read.
func (t *transfer) guard() {
	where := data.Row{"conversation_id": t.Target}
	g := data.Guard{Table: "messages", Where: where, Count: int64(len(t.own))}
	if len(t.own) > 0 {
		g.UpTo = data.Row{"seq": t.own[len(t.own)-1].Seq}
	}
	t.plan.Guards = append(t.plan.Guards, g)
	t.plan.Guard("summaries", where, t.ownSummaries)
}
