package work

import (
	"cmp"
	"context"
	"database/sql"

	"lcm-tui/engine/summarize"
)

// CountCalls returns a model whose calls are counted beside the database of a folder, where anything is noted there.
// They use up nothing of the limits of a day, which are those of work that nobody asked for.
func CountCalls(m summarize.Model, folder string) summarize.Model { return &countedModel{m, folder} }

type countedModel struct {
	summarize.Model
	folder string
}

// Unwrap gives the model itself.
func (m *countedModel) Unwrap() summarize.Model { return m.Model }

// Price implements summarize.Pricer.
func (m *countedModel) Price(in, out int64) (float64, bool) { return summarize.Price(m.Model, in, out) }

// Summarize implements summarize.Model. A call that can't be counted is made all the same.
func (m *countedModel) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	reply, err := m.Model.Summarize(ctx, r)
	_ = countCall(context.WithoutCancel(ctx), m.folder, m.Name(), reply, err)
	return reply, err
}

// countCall counts a call with the counters of those that work notes as rows.
func countCall(ctx context.Context, folder, model string, reply summarize.Reply, failed error) error {
	notes, err := OpenToRead(ctx, folder)
	if err != nil || notes == nil {
		return err
	}
	defer notes.Close()
	outcome := "ok"
	if failed != nil {
		outcome = "failed"
	}
	all := []Counter{
		{Name: EndedCalls, First: model, Second: outcome, Value: 1},
		{Name: CallTokens, First: InputTokens, Value: float64(reply.InputTokens)},
		{Name: CallTokens, First: OutputTokens, Value: float64(reply.OutputTokens)},
	}
	if reply.Priced || reply.Cost > 0 {
		all = append(all, Counter{Name: CallDollars, Value: reply.Cost})
	}
	return notes.change(ctx, "count a call", func(tx *sql.Tx) (err error) {
		for _, c := range all {
			err = cmp.Or(err, add(ctx, tx, c))
		}
		return err
	})
}
