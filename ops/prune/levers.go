package prune

import (
	"context"
	"errors"

	"lcm-tui/data"
	rows "lcm-tui/data/retention"
	dataspace "lcm-tui/data/space"
	"lcm-tui/engine/liveness"
	"lcm-tui/engine/space"
)

// Levers forecasts what each verb would give back of a measured file, were it applied to
// everything that qualifies. It calls each as soon as a verb is known. Files that can't be pruned
// have no levers.
func Levers(ctx context.Context, db *data.DB, m *dataspace.Measurement, stateFolder string, each func(space.Lever)) error {
	if k := db.Kind(); k.Relative || k.Generation == data.GenerationOne {
		return nil
	}
	for _, verb := range Verbs {
		l, err := leverOf(ctx, db, m, Op{Verb: verb, Payload: DefaultPayload, StateFolder: stateFolder})
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
	if err == nil {
		err = p.qualify(ctx, all, map[int64]string{}, func(int, int, string) {})
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
	l.Bytes = max(0, space.Predict(m, nil).After-space.Predict(m, removalOf(p.chosen)).After)
	return l, nil
}
