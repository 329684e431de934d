package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/work"
)

// How many characters go into a context: at a start, after a compaction, when a session goes on, and into one
// session in all, between two compactions.
const (
	startBudget   = 2500
	compactBudget = 6000
	resumeBudget  = 400
	sessionBudget = 6000
)

// How much is shown of earlier sessions: their number, and the characters of one summary, of one message and of one
// promoted entry, and the number of these.
const (
	earlierSessions = 2
	summaryClip     = 700
	messageClip     = 300
	promotedEntries = 5
	promotedClip    = 200
)

// queued is how soon a second compaction of a session is one that its client had queued: Codex tells each of
// them late, and nothing goes into the context twice.
const queued = time.Minute

// start puts history into the context of a session that begins or goes on.
func (h *Hook) start(ctx context.Context, e Event) (a Answer, err error) {
	budget := startBudget
	switch e.Source {
	case "compact":
		budget = compactBudget
	case "resume", "fork", "clear":
		budget = resumeBudget
	}
	if e.Source == "resume" || e.Source == "fork" {
		a.Messages, err = h.keep(ctx, e, e.Transcript)
	}
	if e.Source == "compact" || e.Source == "clear" {
		if again, err := h.Notes.ResetInjections(ctx, e.Session, queued); err != nil || again {
			return a, err
		}
	}
	had, failed := h.Notes.Injected(ctx, e.Session)
	if failed != nil {
		return a, failed
	}
	t := &history{left: min(budget, sessionBudget-had.Characters), shown: had.IDs, again: had.Characters > 0}
	switch e.Source {
	case "compact":
		failed = h.addSession(ctx, e, t)
	case "resume", "fork", "clear":
		failed = h.orient(ctx, e, t)
	default:
		if failed = h.orient(ctx, e, t); failed == nil {
			failed = h.addPromoted(ctx, e, t)
		}
		if failed == nil {
			failed = h.addEarlier(ctx, e, t)
		}
	}
	if failed != nil {
		return a, failed
	}
	shown, failed := h.tell(ctx, e, e.Name+":"+e.Source, t)
	shown.Messages = a.Messages
	return shown, errors.Join(err, failed)
}

// tell notes a text in the ledger, with the event for which it is, and answers with it. One without lines is none.
func (h *Hook) tell(ctx context.Context, e Event, event string, t *history) (a Answer, err error) {
	if t.empty() {
		return a, nil
	}
	text := t.text()
	if err := h.Notes.NoteInjection(ctx, string(h.Client), event, e.Session, t.ids, characters(text)); err != nil {
		return a, err
	}
	return Answer{Context: text, IDs: t.ids}, nil
}

// earlier returns the project's other sessions that have messages, newest first, without those of helpers.
func (h *Hook) earlier(ctx context.Context, e Event) (out []lcm.Conversation, err error) {
	project := backfill.ProjectOf(e.CWD)
	if project == "" {
		return nil, nil
	}
	all, err := lcm.Conversations(ctx, h.DB)
	for _, c := range all {
		if strings.HasPrefix(c.SessionKey, "agent:"+project+":") && !strings.Contains(c.SessionKey, ":subagent:") && !c.OnlyPrompts() && c.SessionID != e.Session {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b lcm.Conversation) int { return b.UpdatedAt.Compare(a.UpdatedAt.Time) })
	return out, err
}

// orient says what there is. It says nothing where there is nothing.
func (h *Hook) orient(ctx context.Context, e Event, t *history) error {
	earlier, err := h.earlier(ctx, e)
	if err != nil || len(earlier) == 0 || t.again {
		return err
	}
	t.orientation = []string{
		fmt.Sprintf("lcm-tui keeps %s of this project word for word, the newest of %s.", plural.Count(len(earlier), "earlier session", "earlier sessions"), day(earlier[0].UpdatedAt)),
		"The tools lcm_grep, lcm_describe and lcm_expand of the server lcm search them and open the ids below.",
	}
	return nil
}

// addPromoted adds the entries of promoted memory that the project can rely on most, the newest first.
func (h *Hook) addPromoted(ctx context.Context, e Event, t *history) error {
	all, err := h.entries(ctx, e)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(e promoted.Entry) bool { return t.shown[openedBy(e)] })
	slices.SortStableFunc(all, func(a, b promoted.Entry) int { return cmp.Compare(b.Confidence, a.Confidence) })
	for i, e := range all[:min(len(all), promotedEntries)] {
		if i == 0 {
			t.add("", "Kept from earlier sessions:")
		}
		t.add(openedBy(e), fmt.Sprintf("- %s (%s, %s)", clip(h.safe(oneLine(e.Content)), promotedClip), openedBy(e), day(e.CreatedAt)))
	}
	return nil
}

// entries returns the entries of promoted memory that are in use, of the project or of all.
func (h *Hook) entries(ctx context.Context, e Event) ([]promoted.Entry, error) {
	all, err := promoted.List(ctx, h.DB)
	project := backfill.ProjectOf(e.CWD)
	return slices.DeleteFunc(all, func(e promoted.Entry) bool {
		return e.IsArchived() || e.Project != project && e.Project != ""
	}), err
}

// openedBy returns the id by which more of an entry is opened: that of its summary, where it has one.
func openedBy(e promoted.Entry) string { return cmp.Or(e.Summary, e.ID) }

// addEarlier adds the newest summaries of the project's last sessions, or how a session ended that has none.
func (h *Hook) addEarlier(ctx context.Context, e Event, t *history) error {
	earlier, err := h.earlier(ctx, e)
	if err != nil {
		return err
	}
	sessions := 0
	for _, c := range earlier {
		if sessions == earlierSessions {
			break
		}
		lines, err := h.linesOf(ctx, c, t)
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			sessions++
			t.add("", fmt.Sprintf("Session of %s (conversation %d):", day(c.UpdatedAt), c.ID))
		}
		for _, l := range lines {
			t.add(l.id, l.text)
		}
	}
	return nil
}

// line is a line of history, with the id of the summary or message that it shows.
type line struct{ id, text string }

// linesOf returns the newest top summaries of a session, or its last question and answer.
func (h *Hook) linesOf(ctx context.Context, c lcm.Conversation, t *history) (out []line, err error) {
	const most = 3
	summaries, err := lcm.NewestContextSummaries(ctx, h.DB, c.ID, most)
	if err != nil {
		return nil, err
	}
	for _, s := range summaries {
		if !t.shown[s.ID] {
			out = append(out, line{s.ID, fmt.Sprintf("- %s (%s): %s", s.ID, day(s.LatestAt), clip(h.safe(oneLine(s.Content)), summaryClip))})
		}
	}
	if len(summaries) > 0 {
		return out, nil
	}
	last, err := lcm.NewestTexts(ctx, h.DB, c.ID, "user", "assistant")
	for _, m := range last {
		if id := fmt.Sprintf("msg#%d", m.ID); !t.shown[id] {
			out = append(out, line{id, fmt.Sprintf("- last %s message (%s): %s", m.Role, id, clip(h.safe(oneLine(m.Content)), messageClip))})
		}
	}
	return out, err
}

// addSession adds the summaries of the session itself, the newest as far as they fit, in the order of the context.
func (h *Hook) addSession(ctx context.Context, e Event, t *history) error {
	c, ok, err := h.conversation(ctx, e.Session)
	if err != nil || !ok {
		return err
	}
	if err := h.awaitCompaction(ctx, c.ID); err != nil {
		return err
	}
	const most = 50
	summaries, err := lcm.NewestContextSummaries(ctx, h.DB, c.ID, most)
	if err != nil || len(summaries) == 0 {
		return err
	}
	t.orientation = []string{"Summaries of this session that lcm-tui made of its messages. lcm_expand opens an id with all that it was made of."}
	var fit []line
	left := t.left - len(frameBegin) - len(frameEnd) - len(t.orientation[0])
	for _, s := range summaries {
		l := line{s.ID, fmt.Sprintf("- %s, depth %d, %s to %s:\n%s", s.ID, s.Depth, day(s.EarliestAt), day(s.LatestAt), h.safe(s.Content))}
		if left -= characters(l.text) + 1; left < 0 {
			break
		}
		fit = append(fit, l)
	}
	for _, l := range slices.Backward(fit) {
		t.add(l.id, l.text)
	}
	return nil
}

// How long the summaries of a session are waited for that its client has compacted, and how often they are looked for.
const (
	longestWait = time.Second
	waitPause   = 20 * time.Millisecond
)

// awaitCompaction waits a little for the compaction of a session that was requested when its client began its own.
func (h *Hook) awaitCompaction(ctx context.Context, conversation int64) error {
	for end := time.Now().Add(longestWait); time.Now().Before(end); {
		waits, err := h.Notes.Waits(ctx, work.Compaction, conversation, time.Now())
		if err != nil || !waits || h.Threshold <= 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(waitPause):
		}
	}
	return nil
}

// day returns the day of a time.
func day(t data.Time) string {
	if !t.Valid() {
		return "an unknown day"
	}
	return t.UTC().Format(time.DateOnly)
}
