package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/internal/fakehost"
)

// Write makes the demonstration file at level Head, and its large files in lcm-files
// beside it: the agents of a small company that runs a ferry booking platform, over the
// weeks before now. The same now gives the same file. It is healthy but for two
// summaries that fell back to a cut text, as happens when a model does not answer.
func Write(path string, now time.Time) error {
	_, err := write(path, fakehost.Head, now)
	return err
}

// write makes the file at a level of the format.
func write(path string, level fakehost.Level, now time.Time) (*demo, error) {
	h, err := fakehost.Create(path, level)
	if err != nil {
		return nil, err
	}
	d := &demo{
		Writer: h, now: now.UTC().Truncate(time.Second), rng: rand.New(rand.NewPCG(42, 7)),
		files: filepath.Join(filepath.Dir(path), "lcm-files"),
	}
	err = h.Tx(func(*fakehost.Writer) error { return d.write() })
	if e := h.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, fmt.Errorf("write demonstration: %w", errors.Join(err, d.removeParts(path)))
	}
	return d, nil
}

// removeParts removes what was written of a demonstration that failed, but no file that
// was there before.
func (d *demo) removeParts(path string) error {
	errs := []error{fakehost.RemoveDatabase(path)}
	for _, p := range d.Files {
		if err := os.Remove(p); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	for _, p := range d.Files { // The folders go if nothing else is in them.
		_ = os.Remove(filepath.Dir(p))
	}
	_ = os.Remove(d.files)
	return errors.Join(errs...)
}

// demo writes the demonstration; after the first error it writes nothing.
type demo struct {
	*fakehost.Writer
	now   time.Time
	rng   *rand.Rand
	files string
	calls int
	full  int64 // The conversation whose context is nearly full.
	err   error
}

func (d *demo) write() error {
	all := topics()
	old, main := all[len(all)-2:], all[:len(all)-2]
	begin := d.now.AddDate(0, 0, -7*7)
	d.project(old, begin, begin.AddDate(0, 0, 6), fakehost.Conversation{
		SessionKey: "agent:main:main", Title: "Islander and the harbours",
		Archived: begin.AddDate(0, 0, 7), Cause: "manual-reset",
	})
	conv := d.project(main, begin.AddDate(0, 0, 8), d.now.Add(-4*time.Minute), fakehost.Conversation{SessionKey: "agent:main:main", Title: "Tidewater", Active: true})
	d.focusBriefs(conv)
	d.telemetry(conv, "hot", "high")
	for i, t := range readTexts("chats") {
		d.telemetry(d.chat(t, i), "cold", "low")
	}
	d.telemetry(d.nightly(), "cold", "low")
	d.incident()
	return d.err
}

// conversation makes a conversation.
func (d *demo) conversation(c fakehost.Conversation) (id int64) {
	if d.err == nil {
		id, d.err = d.Conversation(c)
	}
	return id
}

// message writes a message after a pause of some seconds.
func (d *demo) message(conv int64, pause int, m fakehost.Message) (id int64) {
	if d.err != nil {
		return 0
	}
	if m.At.IsZero() {
		m.At = d.Clock.Add(time.Duration(pause/2+d.rng.IntN(pause+1)) * time.Second)
	}
	id, d.err = d.Message(conv, m)
	return id
}

// answer writes an assistant's text as the blocks of the model's answer.
func (d *demo) answer(conv int64, pause int, text string) int64 {
	return d.message(conv, pause, fakehost.Message{Role: "assistant", Content: text, Parts: []fakehost.Part{{Type: "text", Text: text}}})
}

// toolCall writes a tool call with its reasoning, and the result.
func (d *demo) toolCall(conv int64, thought, tool, input, output string) []int64 {
	d.calls++
	id := "call_" + fakehost.Digest(fmt.Sprint("demo", d.calls))[:20]
	if d.calls%3 == 0 {
		id = "toolu_" + fakehost.Digest(fmt.Sprint("demo", d.calls))[:22]
	}
	parts := []fakehost.Part{{Type: "tool", ToolCallID: id, ToolName: tool, ToolInput: input}}
	if thought != "" {
		parts = append([]fakehost.Part{{Type: "reasoning", Text: thought}}, parts...)
	}
	return []int64{
		d.message(conv, 20, fakehost.Message{Role: "assistant", Parts: parts}),
		d.message(conv, 8, fakehost.Message{Role: "tool", Content: output, Parts: []fakehost.Part{{Type: "text", Text: output, ToolCallID: id, ToolName: tool}}}),
	}
}

// model made the summaries that don't say otherwise.
const model = "anthropic/claude-sonnet-4-5"

// leaf writes the summary of messages, a little after the newest message.
func (d *demo) leaf(conv int64, ids []int64, text string, o fakehost.SummaryOptions) (id string) {
	if o.Model == "" {
		o.Model = model
	}
	if d.err == nil {
		id, d.err = d.Leaf(conv, ids, text, o)
	}
	return id
}
