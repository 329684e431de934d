package retrieve_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/testlength"
)

// grepped is one answer of grep.json.
type grepped struct {
	Mode, Query, Scope, Sort, Since, Before, Error string
	ConversationID                                 *int64
	ConversationIDs                                *[]int64
	AllConversations                               bool
	Limit                                          int64
	TotalMatches                                   int64
	Messages, Summaries, Files                     []map[string]any
	EqualMessageTimes                              bool `json:"tiesMessages"`
	EqualSummaryTimes                              bool `json:"tiesSummaries"`
}

func (g grepped) scope() retrieve.Scope {
	switch {
	case g.ConversationID != nil:
		return retrieve.Conversations(*g.ConversationID)
	case g.ConversationIDs != nil && len(*g.ConversationIDs) > 0: // None means all to the reference.
		return retrieve.Conversations(*g.ConversationIDs...)
	}
	return retrieve.AllConversations()
}

// rows returns the rows of a result as JSON has them, in no order where times are equal.
func rows(t *testing.T, in any, key string, equalTimes bool) []map[string]any {
	t.Helper()
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out {
		if rank, ok := r["rank"].(float64); ok {
			r["rank"] = math.Round(rank*1e6) / 1e6
		}
	}
	if equalTimes {
		slices.SortFunc(out, func(a, b map[string]any) int {
			return strings.Compare(toText(a[key]), toText(b[key]))
		})
	}
	return out
}

// comparableRows returns what 0.1.0 tells as newer versions do. It ranked by another search table, and the
// time of a summary was that of its making.
func comparableRows(in []map[string]any) []map[string]any {
	for _, r := range in {
		delete(r, "rank")
		if r["summaryId"] != nil {
			delete(r, "createdAt")
		}
	}
	return in
}

func toText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestGrepGoldens: grep finds what the reference engine finds, in its order. Of 0.1.0, which
// showed the errors of regular expressions, ours finds nothing, as newer ones do.
func TestGrepGoldens(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	eachAnswered(t, "grep.json", func(t *testing.T, f answered) {
		var all []grepped
		f.read(t, "grep.json", &all)
		var meta struct{ Clock time.Time }
		f.read(t, "meta.json", &meta)
		f.db.Now = func() time.Time { return meta.Clock } // From when hybrid counts ages.
		f.checkGrep(t, all)
	})
}

// wildClock is when the reference engine answered about the conversations of odd shapes.
var wildClock = time.Date(2026, 11, 22, 14, 0, 0, 0, time.UTC)

// TestGrepOfOddConversations: grep finds what the reference engine finds in conversations of odd
// shapes, too.
func TestGrepOfOddConversations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	eachAnswered(t, "retrieval.json", func(t *testing.T, f answered) {
		var golden struct{ Grep []grepped }
		f.read(t, "retrieval.json", &golden)
		f.db.Now = func() time.Time { return wildClock }
		f.checkGrep(t, golden.Grep)
	})
}

// checkGrep compares what grep finds with the reference's answers.
func (f answered) checkGrep(t *testing.T, all []grepped) {
	t.Helper()
	for i, want := range all {
		r := retrieve.GrepRequest{
			Pattern: want.Query, Mode: retrieve.GrepMode(want.Mode), In: retrieve.GrepIn(want.Scope), Sort: retrieve.GrepSort(want.Sort), Limit: want.Limit,
			Since: want.Since, Before: want.Before, Folder: f.files, Ranks: true, MaxTime: time.Hour,
		}
		got, err := r.Engine(t.Context(), f.db, want.scope())
		if err != nil {
			t.Errorf("%d %s %q: %v", i, want.Mode, want.Query, err)
			continue
		}
		if f.old && retrieve.HasCJK(want.Query) { // That version found nothing.
			continue
		}
		if want.Error != "" {
			if got.Total != 0 {
				t.Errorf("%d %s %q: %d matches of an invalid pattern", i, want.Mode, want.Query, got.Total)
			}
			continue
		}
		if got.Total != want.TotalMatches {
			t.Errorf("%d %s %q: %d matches, want %d", i, want.Mode, want.Query, got.Total, want.TotalMatches)
		}
		for _, part := range []struct {
			name, key  string
			got, want  any
			equalTimes bool
		}{
			{"messages", "messageId", got.Messages, want.Messages, want.EqualMessageTimes},
			{"summaries", "summaryId", got.Summaries, want.Summaries, want.EqualSummaryTimes},
			{"files", "", got.Files, want.Files, false},
		} {
			w, g := rows(t, part.want, part.key, part.equalTimes), rows(t, part.got, part.key, part.equalTimes)
			if f.old {
				w, g = comparableRows(w), comparableRows(g)
			}
			if diff := cmp.Diff(w, g, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%d %s %q in %s (%s): %s", i, want.Mode, want.Query, want.Scope, part.name, diff)
			}
		}
	}
}

// TestGrepTextGoldens: the text of a grep is the reference tool's.
func TestGrepTextGoldens(t *testing.T) {
	t.Parallel()
	eachAnswered(t, "tools.json", func(t *testing.T, f answered) {
		var all []struct {
			Tool   string
			Params struct {
				Pattern, Mode, Scope, Sort, Since, Before string
				Limit                                     int64
				AllConversations                          bool
			}
			Result struct{ Content []struct{ Text string } }
		}
		f.read(t, "tools.json", &all)
		for i, want := range all {
			if want.Tool != "lcm_grep" {
				continue
			}
			p := want.Params
			scope := retrieve.Conversations(1)
			if p.AllConversations {
				scope = retrieve.AllConversations()
			}
			r := retrieve.GrepRequest{
				Pattern: p.Pattern, Mode: retrieve.GrepMode(p.Mode), In: retrieve.GrepIn(p.Scope), Sort: retrieve.GrepSort(p.Sort), Limit: p.Limit,
				Since: p.Since, Before: p.Before, Folder: f.files, MaxTime: time.Hour,
			}
			var text string
			got, err := r.Run(t.Context(), f.db, scope)
			var tool *retrieve.ToolError
			switch {
			case errors.As(err, &tool):
				text = tool.Text()
			case err != nil:
				t.Fatal(err)
			default:
				text = got.Text()
			}
			if diff := cmp.Diff(want.Result.Content[0].Text, text); diff != "" {
				t.Errorf("%d %+v: %s", i, p, diff)
			}
		}
	})
}
