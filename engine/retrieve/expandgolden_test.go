package retrieve_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/retrieve"
)

// expanded is one answer of expand.json.
type expanded struct {
	Input struct {
		SummaryID       string
		Depth           *int64
		IncludeMessages bool
		TokenCap        *int64
	}
	SourceDepth int64
	Result      map[string]any
}

// TestExpandGoldens: expand answers as the reference engine does, which goes one step deep where
// nothing else is asked. Up to 0.3 it went from a condensed summary to what was made of it instead
// of to its sources, so that the top of a conversation had nothing below it. There our answer is
// that of the versions since: the sources that describe names, as far as they fit.
func TestExpandGoldens(t *testing.T) {
	t.Parallel()
	eachAnswered(t, "expand.json", func(t *testing.T, f answered) {
		var golden []expanded
		f.read(t, "expand.json", &golden)
		f.checkExpansions(t, golden)
	})
}

// TestExpandOfOddConversations: expand answers as the reference engine about conversations of odd
// shapes, too.
func TestExpandOfOddConversations(t *testing.T) {
	t.Parallel()
	eachAnswered(t, "retrieval.json", func(t *testing.T, f answered) {
		var golden struct{ Expand []expanded }
		f.read(t, "retrieval.json", &golden)
		f.checkExpansions(t, golden.Expand)
	})
}

// checkExpansions compares what expand gives with the reference's answers.
func (f answered) checkExpansions(t *testing.T, golden []expanded) {
	t.Helper()
	for _, want := range golden {
		in := want.Input
		o := retrieve.ExpandOptions{Depth: 1, Messages: in.IncludeMessages, TokenCap: in.TokenCap}
		if in.Depth != nil {
			o.Depth = *in.Depth
		}
		x, err := retrieve.Expand(t.Context(), f.db, retrieve.AllConversations(), in.SummaryID, o)
		if err != nil {
			t.Fatal(err)
		}
		if f.old && want.SourceDepth > 0 {
			f.checkSources(t, x, o)
			continue
		}
		got := asJSON(t, x)
		delete(got, "summaryId")
		if diff := cmp.Diff(want.Result, got); diff != "" {
			t.Errorf("%+v:\n%s", in, diff)
		}
	}
}

// checkSources checks that the first summaries of an expansion are sources, in the order of links.
func (f answered) checkSources(t *testing.T, x *retrieve.Expansion, o retrieve.ExpandOptions) {
	t.Helper()
	d, err := retrieve.DescribeRequest{ID: x.ID}.Run(t.Context(), f.db, retrieve.AllConversations())
	if err != nil {
		t.Fatal(err)
	}
	sources := d.Summary.Parents
	if o.Depth != 1 {
		return
	}
	var got []string
	for _, c := range x.Children {
		got = append(got, c.ID)
	}
	if !x.Truncated && len(got) != len(sources) || len(got) > len(sources) {
		t.Fatalf("%s: %v lie below it, its sources are %v", x.ID, got, sources)
	}
	for i, id := range got {
		if id != sources[i] {
			t.Errorf("%s: source %d is %s, want %s", x.ID, i, id, sources[i])
		}
	}
}

// TestExpandToolGoldens: the text is the reference tool's, byte for byte, and so are the counts of
// its details. Who isn't a sub-agent is refused there; ours answers everybody, so that the refusal
// is a text of its own.
func TestExpandToolGoldens(t *testing.T) {
	t.Parallel()
	eachAnswered(t, "tools.json", func(t *testing.T, f answered) {
		for _, c := range f.calls(t, "lcm_expand") {
			var text string
			var details map[string]any
			if c.Params.ConversationID == nil { // The caller was the main agent.
				text, details = errorText(t, retrieve.ErrExpandNotDelegated)
			} else {
				r := retrieve.ExpandRequest{Summaries: c.Params.SummaryIDs, MaxDepth: c.Params.MaxDepth, TokenCap: c.Params.TokenCap, Messages: c.Params.IncludeMessages}
				e, err := r.Run(t.Context(), f.db, f.scope(t, c))
				if err != nil {
					t.Fatal(err)
				}
				text, details = e.Text(), asJSON(t, e.Details())
				for _, policy := range []string{"policy", "executionPath", "observability"} {
					delete(c.Result.Details, policy)
				}
			}
			if diff := cmp.Diff(c.Result.Content[0].Text, text); diff != "" {
				t.Errorf("%v:\n%s", c.Params.SummaryIDs, diff)
			}
			if diff := cmp.Diff(c.Result.Details, details); diff != "" {
				t.Errorf("details of %v:\n%s", c.Params.SummaryIDs, diff)
			}
		}
	})
}
