package eventlog

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"unicode/utf8"
)

// The keys of lines, beside those of slog: time, level and msg.
const (
	Conversation = "conversation_id"
	Session      = "session_id"
	Job          = "compaction_id"
	Summary      = "summary_id"
	Reason       = "trigger_reason"
	TokensBefore = "token_before"
	TokensAfter  = "token_after"
	Op           = "op"
	Record       = "record"
	Model        = "model"
	Took         = "duration_ms" // A time.Duration is written in milliseconds.
	Cost         = "cost"        // In US dollars; left out where no price is known.
	Error        = "error"
	Host         = "host"
	// Those of hooks and imports.
	Client     = "client"
	HookEvent  = "event"
	Source     = "source"
	Messages   = "messages"
	BadLines   = "bad_lines"
	Characters = "characters"
	State      = "state" // What became of a job.
)

// Keys returns all keys that a line may have.
func Keys() []string {
	return []string{
		slog.TimeKey, slog.LevelKey, slog.MessageKey, Conversation, Session, Job, Summary, Reason, TokensBefore, TokensAfter, Op, Record, Model, Took, Cost, Error, Host,
		Client, HookEvent, Source, Messages, BadLines, Characters, State,
	}
}

// maxText is how long a text in a line may be, in bytes: an error may repeat what it is about.
const maxText = 500

// New returns a log that writes each event as a line of JSON in one write. What isn't among the keys is left out, and
// so is what is empty, and what is less bad than least.
func New(to io.Writer, least slog.Level) *slog.Logger {
	return slog.New(handler{to: slog.NewJSONHandler(to, &slog.HandlerOptions{Level: least})})
}

// handler leaves out what has no key of ours.
type handler struct {
	to     slog.Handler
	nested bool // In a group, whose keys are none of ours.
}

// Enabled implements slog.Handler.
func (h handler) Enabled(ctx context.Context, l slog.Level) bool { return h.to.Enabled(ctx, l) }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	line := slog.NewRecord(r.Time, r.Level, oneLine(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if a, ok := h.attr(a); ok {
			line.AddAttrs(a)
		}
		return true
	})
	return h.to.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(all []slog.Attr) slog.Handler {
	var known []slog.Attr
	for _, a := range all {
		if a, ok := h.attr(a); ok {
			known = append(known, a)
		}
	}
	h.to = h.to.WithAttrs(known)
	return h
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(string) slog.Handler {
	h.nested = true
	return h
}

// attr returns an attribute as it is written; not ok is one that isn't.
func (h handler) attr(a slog.Attr) (slog.Attr, bool) {
	if h.nested || !slices.Contains(Keys(), a.Key) {
		return a, false
	}
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindDuration:
		return slog.Int64(a.Key, v.Duration().Milliseconds()), true
	case slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindBool:
		return slog.Attr{Key: a.Key, Value: v}, true
	case slog.KindAny:
		if v.Any() == nil {
			return a, false
		}
		text := oneLine(fmt.Sprint(v.Any()))
		return slog.String(a.Key, text), text != ""
	case slog.KindGroup:
		return a, false
	default:
		text := oneLine(v.String())
		return slog.String(a.Key, text), text != ""
	}
}

// oneLine returns a text on one line, cut where it is long.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxText {
		return s
	}
	cut := maxText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
