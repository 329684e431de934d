package repair

import (
	"context"
	"slices"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ops/repair/draft"
)

// state is what the stages of a repair work on: the findings, and the conversation as they
// will leave it.
type state struct {
	db       *data.DB
	op       *Op
	report   data.Report
	found    *findings
	messages *draft.Messages
	graph    *draft.Graph
	context  *draft.Context
	rows     *draft.Rows
	plan     ops.Plan
	pending  []change.Change // Of pending batches, as the writer makes them.

	texts  map[string]string // New texts of summaries.
	failed error             // Why the last of the texts that a model did not make has none.

	recounted map[string]int64 // By how much the messages of each leaf are counted otherwise.
	uncounted map[string]bool  // Leaves of which a message had no count at all.
	rekinded  map[string]bool  // Summaries that get the kind that their links say.

	ongoing *string // Why the conversation may go on; nil until it was looked at.
	merged  bool    // The conversation goes into another one.
	deleted bool    // The conversation goes altogether.
}

// newState reads the conversation of an operation as far as its findings need it.
func newState(ctx context.Context, db *data.DB, o *Op, found []integrity.Finding, report data.Report) (*state, error) {
	s := &state{
		db: db, op: o, report: report, found: newFindings(o, found), rows: draft.NewRows(db.Schema()), plan: ops.New(verb, ""),
		texts: map[string]string{}, recounted: map[string]int64{}, uncounted: map[string]bool{}, rekinded: map[string]bool{},
	}
	c := draft.Empty(db, s.rows)
	if len(s.found.open) > 0 && o.Conversation != 0 {
		var missing []string
		for _, f := range s.found.of(integrity.LinkDangling) {
			missing = append(missing, f.Row)
		}
		var err error
		if c, err = draft.Load(ctx, db, o.Conversation, missing, s.rows); err != nil {
			return nil, err
		}
	}
	s.messages, s.graph, s.context = c.Messages, c.Graph, c.Context
	return s, nil
}

// estimator counts tokens as the host of the file does.
func (s *state) estimator() token.Estimator { return token.Of(s.db.Kind().Level) }

// isExcluded reports whether a stored context item has a finding that is not repaired, so
// that no other repair may remove it.
func (s *state) isExcluded(it lcm.ContextItem) bool {
	return s.found.excludes("context_items", strconv.FormatInt(it.Ordinal, 10)) &&
		slices.ContainsFunc(s.context.Stored(), func(was lcm.ContextItem) bool {
			return was.Ordinal == it.Ordinal && was.Type == it.Type && was.Ref() == it.Ref()
		})
}

// isExcludedCycle reports whether an edge belongs to a cycle that is not repaired.
func (s *state) isExcludedCycle(e *draft.Edge) bool {
	return s.found.excludes("cycle", e.Summary) && s.found.excludes("cycle", e.Source)
}

// isExcludedEdge reports whether an edge has a finding that is not repaired.
func (s *state) isExcludedEdge(e *draft.Edge) bool {
	if e.Source != "" {
		return s.found.excludes(draft.SourceTable, e.Summary, e.Source)
	}
	return s.found.excludes(draft.MessageTable, e.Summary, strconv.FormatInt(e.Message, 10))
}
