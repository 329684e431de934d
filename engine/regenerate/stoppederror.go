package regenerate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/engine/summarize"
	"lcm-tui/internal/hint"
)

// StoppedError says that a run ended before all summaries were regenerated: it was
// cancelled, or no further call can succeed.
type StoppedError struct {
	Err     error
	Cost    summarize.Cost // What was spent until then.
	Answers int            // How many summaries had their new text.
	Cached  bool           // The answers are cached, so that the next run doesn't pay for them.
}

func (e *StoppedError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// Cancelled reports whether the user ended the run.
func (e *StoppedError) Cancelled() bool { return errors.Is(e.Err, context.Canceled) }

// Outcome says in a sentence how many calls were made and how many answers are cached.
func (e *StoppedError) Outcome() string {
	s := fmt.Sprintf("%d calls were made", e.Cost.Calls)
	if e.Cost.Calls == 1 {
		s = "1 call was made"
	}
	switch {
	case e.Cost.Calls == 0:
		return "no model was called"
	case e.Answers == 0:
		return s + ", without an answer"
	case !e.Cached:
		return s + ", and their answers are lost"
	case e.Answers == 1:
		return s + "; 1 answer is cached and costs nothing again"
	}
	return fmt.Sprintf("%s; %d answers are cached and cost nothing again", s, e.Answers)
}

// Hint says what can be done, and what was paid for.
func (e *StoppedError) Hint() string {
	return strings.TrimPrefix(hint.Of(e.Err)+"\n"+e.Outcome(), "\n")
}
