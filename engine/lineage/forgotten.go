package lineage

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// ForgottenError says that no text can be made of some messages, since their own texts were
// forgotten: a model would be given the stubs, and the result would replace a text that was
// made of the whole.
type ForgottenError struct {
	Seqs []int64 // The numbers of the messages in their conversation; at least one.
}

func (e *ForgottenError) Error() string {
	if len(e.Seqs) == 1 {
		return fmt.Sprintf("the text of its source message #%d was forgotten", e.Seqs[0])
	}
	return fmt.Sprintf("the texts of %d of its source messages (#%d to #%d) were forgotten", len(e.Seqs), slices.Min(e.Seqs), slices.Max(e.Seqs))
}

// Hint says what to do.
func (*ForgottenError) Hint() string {
	return "restore the texts from the trash first, or write the summary by hand"
}

// CheckForgotten fails with a *ForgottenError if the text of a message is the stub of a
// forgotten one. Whoever makes a text of messages asks it before.
func CheckForgotten(messages []lcm.Message) error {
	var seqs []int64
	for _, m := range messages {
		if data.IsForgotten(m.Content) {
			seqs = append(seqs, m.Seq)
		}
	}
	if len(seqs) == 0 {
		return nil
	}
	return &ForgottenError{seqs}
}

// ForgottenSources returns the summaries, of some, that can't be made of their messages again, and
// why. A summary of summaries can be: their texts are still there.
func ForgottenSources(ctx context.Context, db *data.DB, summaries []string) (map[string]*ForgottenError, error) {
	forgotten, err := lcm.ForgottenSources(ctx, db, summaries)
	out := make(map[string]*ForgottenError, len(forgotten))
	for id, seqs := range forgotten {
		out[id] = &ForgottenError{seqs}
	}
	return out, err
}
