package conversation

import (
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
)

// preparedOrdinals returns the ordinals of a context of which a batch has prepared or plans a summary,
// with the state of each.
func (b *pendingBatch) preparedOrdinals() map[int64]string {
	out, at := map[int64]string{}, 0
	for _, s := range b.Stretches(b.verdict.FreshTail) {
		for _, i := range b.Items[at : at+s.Items] {
			if s.State == pending.StretchPrepared || s.State == pending.StretchPlanned {
				out[i.Ordinal] = s.State
			}
		}
		at += s.Items
	}
	return out
}

// pendingLine says in one line what the host prepares of the context.
func (v *Context) pendingLine() string {
	s, b := v.Env().Styles, v.batch
	counts := map[string]int64{}
	for _, r := range v.List.Items() {
		counts[r.prepared]++
	}
	out := verdictText(s, b) + s.Muted.Render(" ordinals "+rangeText(b.First, b.Last)+":")
	for _, state := range []string{pending.StretchPrepared, pending.StretchPlanned} {
		if n := counts[state]; n > 0 {
			out += " " + pictureStyle(s, state).Render(pictureStates[pictureState(state)].sign) + " " + ui.Num(n) + " " + state
		}
	}
	return out + s.Muted.Render("; p shows pending summaries")
}

// preparedText says of an item which node of the batch stands for it, or is empty.
func (v *Context) preparedText(r *contextRow) string {
	s := v.Env().Styles
	if v.batch == nil || r.prepared == "" {
		return ""
	}
	text := "the host plans a summary of it"
	if r.prepared == pending.StretchPrepared {
		text = "the host has prepared a summary of it, which isn't published yet"
	}
	return pictureStyle(s, r.prepared).Render(pictureStates[pictureState(r.prepared)].sign+" "+text) + "\n"
}
