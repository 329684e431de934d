package prune

import (
	"context"
	"errors"
	"slices"

	"lcm-tui/data"
	rows "lcm-tui/data/retention"
	dataspace "lcm-tui/data/space"
	"lcm-tui/engine/liveness"
	"lcm-tui/engine/retention"
	"lcm-tui/engine/space"
)

// Levers forecasts what each verb would give back of a measured file, were it applied to
// everything that qualifies: of these conversations, or of all where none are given. It calls
// each as soon as a verb is known. Files that can't be pruned have no levers.
func Levers(ctx context.Context, db *data.DB, m *dataspace.Measurement, stateFolder string, conversations []int64, each func(space.Lever)) error {
	if k := db.Kind(); k.Relative || k.Generation == data.GenerationOne {
		return nil
	}
	for _, verb := range Verbs {
		l, err := leverOf(ctx, db, m, Op{
			Verb: verb, Payload: DefaultPayload, StateFolder: stateFolder, Selector: retention.Selector{Conversations: conversations},
		})
		var unknown *rows.TableError
		if errors.As(err, &unknown) { // Conversations can't be removed, and so give nothing back.
			continue
		}
		if err != nil {
			return err
		}
		each(l)
	}
	return nil
}

// leverOf forecasts one verb.
func leverOf(ctx context.Context, db *data.DB, m *dataspace.Measurement, o Op) (space.Lever, error) {
	p := &pruning{op: &o, db: db, facts: map[int64]rows.Facts{}, live: liveness.New(db.Now(), o.StateFolder), size: m}
	all, err := p.conversations(ctx)
	why := map[int64]string{}
	if !o.Selector.IsEmpty() {
		all, why = o.Selector.Select(all, true)
	}
	if err == nil {
		err = p.qualify(ctx, all, why, func(int, int, string) {})
	}
	if err != nil {
		return space.Lever{}, err
	}
	l := space.Lever{Verb: "prune " + string(o.Verb)}
	for _, c := range p.chosen {
		for _, n := range c.rows {
			l.Rows += n
		}
		l.Conversations = append(l.Conversations, c.ID)
	}
	slices.Sort(l.Conversations)
	l.Bytes = max(0, space.Predict(m, nil).After-space.Predict(m, removalOf(p.chosen)).After)
	return l, nil
}
