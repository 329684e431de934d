package backfill

import (
	"iter"

	"lcm-tui/data/jstext"
	"lcm-tui/data/transcript"
)

// group is one message: an entry, or several that are one answer of the model. Its
// id is that of the last, by which all of them are known to be stored.
type group struct {
	transcript.Entry
	entries int
}

// mostJoined is how many entries become one message at most.
const mostJoined = 256

// groupEntries puts entries together, without those that skip names by their number, from 1. Errors
// of lines stand where they come. The last group is left out when growing, called at the end, says
// that the rest of it is still being written.
func groupEntries(entries iter.Seq2[transcript.Entry, error], skip func(n int, e transcript.Entry) bool, growing func() bool) iter.Seq2[group, error] {
	return func(yield func(group, error) bool) {
		var g group
		n := 0
		for e, err := range entries {
			if err != nil {
				if !yield(group{}, err) {
					return
				}
				continue
			}
			if n++; skip != nil && skip(n, e) {
				continue
			}
			if e.Continues && g.entries > 0 && g.entries < mostJoined {
				g = g.join(e)
				continue
			}
			if g.entries > 0 && !yield(g, nil) {
				return
			}
			g = group{e, 1}
		}
		if g.entries > 0 && !growing() {
			yield(g, nil)
		}
	}
}

// join adds the blocks of the next entry. The time stays that of the first.
func (g group) join(e transcript.Entry) group {
	var blocks []jstext.Value
	for _, m := range []jstext.Value{g.Message, e.Message} {
		content := m.Field("content")
		if content.IsString() {
			content = `[{"type":"text","text":` + content + `}]`
		}
		for b := range content.Elements() {
			blocks = append(blocks, b)
		}
	}
	var o jstext.Object
	for name, v := range g.Message.Fields() {
		if name != "content" && name != "stopReason" {
			o.Put(name, v)
		}
	}
	o.Put("content", jstext.Array(blocks))
	o.Put("stopReason", e.Message.Field("stopReason"))
	e.Message = o.Value()
	if !g.At.IsZero() {
		e.At = g.At
	}
	return group{e, g.entries + 1}
}
