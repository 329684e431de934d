package change

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testlength"
)

// items returns the changes that take items out of the context of conversation 1 and put others into it: numbers are messages, texts summaries.
func items(out, in []any) (cs []Change) {
	for n, refs := range [][]any{out, in} {
		for i, ref := range refs {
			row := data.Row{"conversation_id": int64(1), "ordinal": int64(i), "message_id": nil, "summary_id": nil}
			switch ref := ref.(type) {
			case int:
				row["message_id"] = int64(ref)
			case string:
				row["summary_id"] = ref
			}
			c := Change{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: row}
			if n == 1 {
				c.Before, c.After = nil, row
			}
			cs = append(cs, c)
		}
	}
	return cs
}

// summary returns the changes that make a summary of messages and summaries.
func summary(id string, of ...any) []Change {
	cs := []Change{{Table: "summaries", After: data.Row{"summary_id": id, "conversation_id": int64(1)}}}
	return append(cs, links(id, of...)...)
}

// links returns the changes that put messages and summaries below a summary.
func links(id string, of ...any) (cs []Change) {
	for _, ref := range of {
		c := Change{Table: "summary_parents", After: data.Row{"summary_id": id, "parent_summary_id": ref}}
		if n, ok := ref.(int); ok {
			c = Change{Table: "summary_messages", After: data.Row{"summary_id": id, "message_id": int64(n)}}
		}
		cs = append(cs, c)
	}
	return cs
}

// TestChangesShowThatAllStaysWithinReach: what a compaction writes shows it by itself. Wherever anything else is needed to know it, the
// file is asked.
func TestChangesShowThatAllStaysWithinReach(t *testing.T) {
	t.Parallel()
	other := items(nil, []any{"s"})
	other[0].After["conversation_id"] = int64(2)
	digest := items([]any{1}, nil)
	digest[0].Before = data.Row{"conversation_id": int64(1), "ordinal": int64(0), digestColumn: "x"}
	for _, c := range []struct {
		what string
		cs   []Change
		want bool
	}{
		{"a leaf", slices.Concat(summary("s", 1, 2), items([]any{1, 2}, []any{"s"})), true},
		{"a condensed summary", slices.Concat(summary("d", "a", "b"), items([]any{"a", "b"}, []any{"d"})), true},
		{"a leaf that is condensed at once", slices.Concat(summary("s", 1), summary("d", "a", "s"), items([]any{"a", 1}, []any{"d"})), true},
		{"items that move", items([]any{1, "a"}, []any{"a", 1}), true},
		{"a message that no summary has", slices.Concat(summary("s", 1), items([]any{1, 2}, []any{"s"})), false},
		{"a summary that doesn't come", slices.Concat(summary("s", 1), items([]any{1}, nil)), false},
		{"a summary that comes elsewhere", slices.Concat(summary("s", 1), items([]any{1}, nil), other), false},
		{"a summary that the file has", items([]any{1}, []any{"s"}), false},
		{"rows below a summary that the file has", slices.Concat(links("s", 1), items([]any{1}, []any{"s"})), false},
		{"a summary that goes", slices.Concat(summary("s", 1), items([]any{1}, []any{"s"}), []Change{{Table: "summaries", Before: data.Row{"summary_id": "a"}}}), false},
		{"a row below a summary that goes", slices.Concat(summary("s", 1), items([]any{1}, []any{"s"}), []Change{{Table: "summary_messages", Before: data.Row{"summary_id": "a", "message_id": int64(7)}}}), false},
		{"an item of nothing", slices.Concat(summary("s", 1), items([]any{1, nil}, []any{"s"})), false},
		{"an item of which a digest is known", digest, false},
		{"a text that changes", slices.Concat(summary("s", 1), items([]any{1}, []any{"s"}), []Change{{Table: "messages", Before: data.Row{"message_id": int64(1), "content": "a"}, After: data.Row{"message_id": int64(1), "content": "b"}}}), false},
		{"summaries below each other", slices.Concat(summary("s", 1, "d"), summary("d", "s"), items([]any{1}, []any{"d"})), true},
	} {
		if got := keepsReach(c.cs); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestNothingIsLostWhereChangesShowIt: in conversations made at random, no change at random that shows by itself that all stays within reach
// takes anything out of it.
func TestNothingIsLostWhereChangesShowIt(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	r := rand.New(rand.NewPCG(5, 8))
	shown := 0
	for range 20_000 {
		before := map[any][]any{}
		for n := range 4 {
			id := fmt.Sprint("s", n)
			for range r.IntN(4) {
				if ref := someRef(r, n); ref != id {
					before[id] = append(before[id], ref)
				}
			}
		}
		context := someRefs(r, 4)
		after, cs := maps.Clone(before), []Change{}
		for n := 4; n < 4+r.IntN(3); n++ {
			id, of := fmt.Sprint("s", n), someRefs(r, n)
			after[id] = of
			cs = append(cs, summary(id, of...)...)
		}
		out := context[r.IntN(len(context)+1):]
		in := someRefs(r, 7)
		cs = append(cs, items(out, in)...)
		if !keepsReach(cs) {
			continue
		}
		shown++
		was := messagesBelow(before, context)
		is := messagesBelow(after, append(slices.Clone(context[:len(context)-len(out)]), in...))
		for m := range was {
			if !is[m] {
				t.Fatalf("message %v is lost of %v by %+v", m, context, cs)
			}
		}
	}
	if shown < 500 {
		t.Errorf("%d changes show it", shown)
	}
}

// someRef returns a message, or one of the first n summaries.
func someRef(r *rand.Rand, n int) any {
	if n == 0 || r.IntN(2) == 0 {
		return r.IntN(6)
	}
	return fmt.Sprint("s", r.IntN(n))
}

func someRefs(r *rand.Rand, n int) (refs []any) {
	for range r.IntN(5) {
		refs = append(refs, someRef(r, n))
	}
	return refs
}

// messagesBelow returns the messages of refs and below them.
func messagesBelow(links map[any][]any, refs []any) map[any]bool {
	seen := map[any]bool{}
	for next := slices.Clone(refs); len(next) > 0; {
		ref := next[0]
		if next = next[1:]; !seen[ref] {
			seen[ref] = true
			next = append(next, links[ref]...)
		}
	}
	maps.DeleteFunc(seen, func(ref any, _ bool) bool { _, isMessage := ref.(int); return !isMessage })
	return seen
}
