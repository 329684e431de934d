package ask

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Task is what a navigator is asked about one conversation.
type Task struct {
	Prompt string
	// Query found the seeds that the caller didn't name; empty where there is none.
	Query        string
	Conversation int64
	// Seeds are the summaries to start from, best first. MessageBacked are those of them that
	// hold a message that was found, so that reading their messages is worth it.
	Seeds, MessageBacked []string
	// MaxTokens is the size of the answer.
	MaxTokens int64
	// Tools read under the grant.
	Tools *Tools
	// RequestID, Origin and Depth tell who asks.
	RequestID, Origin string
	Depth             int
	Route             Route
	// SeedDigest is a hash of the texts of the seeds.
	SeedDigest string
	// words are those of the prompt where they found the seeds.
	words []promptWord
}

// Navigator reads what a task allows, and answers.
type Navigator interface {
	// Name is "provider/model", or empty for one that uses no model.
	Name() string
	// Navigate answers a task. Its errors are *PhaseError; it returns soon once ctx is done.
	Navigate(ctx context.Context, t Task) (Answer, error)
}

// Progress is one step of a question, for people who wait.
type Progress struct {
	Conversation int64
	// Tool is the tool that is called; Call says with what.
	Tool, Call string
	// Tokens are used up of TokenCap.
	Tokens, TokenCap int64
}

// navigate has a navigator answer until a deadline. Where the model was refused and there is
// another navigator, that one is asked once.
func (a *Asker) navigate(ctx context.Context, t Task) (answer Answer, name string, err error) {
	name = a.Navigator.Name()
	answer, err = runNavigator(ctx, a.Navigator, t)
	if err == nil || a.Fallback == nil || ctx.Err() != nil || !refusesModel(err) {
		return answer, name, err
	}
	if a.Log != nil {
		a.Log.WarnContext(ctx, "the model for questions was refused, so the model for summaries is asked", "model", name, "error", err)
	}
	answer, err = runNavigator(ctx, a.Fallback, t)
	return answer, a.Fallback.Name(), err
}

func runNavigator(ctx context.Context, n Navigator, t Task) (Answer, error) {
	start := time.Now()
	answer, err := n.Navigate(ctx, t)
	if err == nil {
		return answer, nil
	}
	err = inPhase(PhaseWait, err)
	var failed *PhaseError
	if errors.As(err, &failed) {
		failed.Elapsed = time.Since(start)
	}
	return Answer{}, err
}

// discard is a log that keeps nothing.
var discard = slog.New(slog.DiscardHandler)
