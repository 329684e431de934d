package compact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"lcm-tui/engine/summarize"
)

// Choices are what a user decided on the summaries of a run, by their ids.
//
// With them the id of a summary depends on nothing but Seed and what the summary is made of, not on its text. So
// another run of the same context finds its choices, until the user writes one of both.
type Choices struct {
	Seed     string
	Texts    map[string]Text // Given ones; no model is asked for them.
	Attempts map[string]int  // Which answer of the model is wanted, from 0.
}

// Text is the text of a summary, and the model that made it.
type Text struct{ Text, Model string }

// idOf returns the id that a summary gets.
func (c *Choices) idOf(d *draft) string {
	var b strings.Builder
	fmt.Fprintln(&b, c.Seed, d.Depth, d.Messages, d.Sources)
	sum := sha256.Sum256([]byte(b.String()))
	return idPrefix + hex.EncodeToString(sum[:8])
}

// make returns the text that was chosen for a summary, or else has it made.
func (c *Choices) make(d *draft, job summarize.Job, ask func(summarize.Job) (summarize.Result, error)) (summarize.Result, error) {
	if c == nil {
		return ask(job)
	}
	d.ID = c.idOf(d)
	if t, ok := c.Texts[d.ID]; ok {
		return summarize.Result{Text: t.Text, Level: summarize.LevelNormal, Tokens: job.Estimator.Count(t.Text), Model: t.Model}, nil
	}
	job.Attempt += c.Attempts[d.ID]
	return ask(job)
}
