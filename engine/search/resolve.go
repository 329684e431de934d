package search

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/textsearch"
	"lcm-tui/engine/summarize"
)

// kindsOfFilter are the kinds of text of which a filter can hold. Of another kind nothing is
// found with it.
var kindsOfFilter = map[string][]Kind{
	"role": {MessageKind, PartKind}, "depth": {SummaryKind}, "tool": {MessageKind, PartKind},
	"file": {MessageKind, PartKind, FileKind}, "is": {MessageKind, PartKind, SummaryKind}, "under": {MessageKind, PartKind, SummaryKind},
}

// kindsOfValue are the same for values of filters.
var kindsOfValue = map[string][]Kind{
	"kind:message": {MessageKind}, "kind:part": {PartKind}, "kind:file": {FileKind}, "kind:focus": {FocusKind},
	"kind:summary": {SummaryKind}, "kind:leaf": {SummaryKind}, "kind:condensed": {SummaryKind},
	"has:file": {MessageKind, PartKind, SummaryKind, FileKind}, "has:error": {MessageKind, PartKind}, "has:parts": {MessageKind, PartKind},
	"has:marker": {SummaryKind},
}

// canHold reports whether a filter can hold for a kind of text.
func (f Filter) canHold(k Kind) bool {
	if f.Not {
		return f.Name != "kind" || !slices.ContainsFunc(f.Values, func(v string) bool { return v == string(k) })
	}
	if f.Name == "id" {
		return slices.ContainsFunc(f.Values, func(v string) bool { return slices.Contains(kindsOfID(v), k) })
	}
	if kinds, ok := kindsOfFilter[f.Name]; ok {
		return slices.Contains(kinds, k)
	}
	listed := false
	for _, v := range f.Values {
		kinds, ok := kindsOfValue[f.Name+":"+v]
		if listed = listed || ok; slices.Contains(kinds, k) {
			return true
		}
	}
	return !listed
}

// kindsOfID returns the kinds of text that an id can be of.
func kindsOfID(id string) []Kind {
	switch {
	case strings.HasPrefix(id, "sum_"):
		return []Kind{SummaryKind}
	case strings.HasPrefix(id, "file_"):
		return []Kind{FileKind}
	}
	return []Kind{MessageKind, PartKind}
}

// parseMessageID reads 4711 or msg:4711; what is neither is the id of no message.
func parseMessageID(id string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(id, "msg:"), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// conditions are what the filters of a query ask of texts.
type conditions struct {
	db            *data.DB
	filters       []Filter
	conversations []int64 // Those that are searched, or nil for all.
	note          func(format string, args ...any)

	general []textsearch.Condition
	ids     []textsearch.Condition // Conditions on ids, each of one kind of text.
	checks  []placeCheck
	markers bool // Only summaries with a marker.
}

// wants reports whether texts of a kind are searched because of the filters.
func (s *conditions) wants(k Kind) bool {
	return !slices.ContainsFunc(s.filters, func(f Filter) bool { return !f.canHold(k) })
}

// resolve turns the filters into conditions.
func (s *conditions) resolve(ctx context.Context) error {
	if s.conversations != nil {
		s.general = append(s.general, textsearch.Condition{Conversations: s.conversations})
	}
	for _, f := range s.filters {
		if err := s.resolveFilter(ctx, f); err != nil {
			return err
		}
	}
	s.leaveOutRecalled()
	return nil
}

// leaveOutRecalled adds that messages aren't found that only repeat what was recalled, unless the query asks for a
// tool or for a message by its id.
func (s *conditions) leaveOutRecalled() {
	if !slices.ContainsFunc(s.filters, func(f Filter) bool { return !f.Not && (f.Name == "tool" || f.Name == "id") }) {
		s.general = append(s.general, textsearch.Condition{Not: true, Recalled: true})
	}
}

func (s *conditions) resolveFilter(ctx context.Context, f Filter) (err error) {
	c := textsearch.Condition{Not: f.Not}
	switch f.Name {
	case "in", "agent", "session":
		c.Conversations, err = s.readConversations(ctx, f)
	case "role":
		c.Roles = f.Values
	case "kind":
		c.Kinds = f.Values
	case "before", "after", "on":
		for _, s := range f.Spans {
			c.Times = append(c.Times, textsearch.TimeRange(s))
		}
	case "depth":
		for _, d := range f.Depths {
			c.Depths = append(c.Depths, [2]int64{d.Min, d.Max})
		}
	case "tool":
		c.Tools = f.Values
	case "file":
		c.FileNames = f.Values
	case "has":
		c.Has, c.Contains, c.Models = properties(f.Values)
		s.markers = s.markers || !f.Not && slices.Equal(f.Values, []string{"marker"})
	case "id":
		return s.resolveIDs(f)
	case "is":
		s.checks = append(s.checks, placeCheck{not: f.Not, inContext: true})
		return nil
	case "under":
		return s.resolveUnder(ctx, f)
	}
	s.general = append(s.general, c)
	return err
}

func properties(values []string) (has []textsearch.Property, contains, models []string) {
	for _, v := range values {
		if v == "marker" {
			contains, models = summarize.Substrings(), summarize.Models()
			continue
		}
		has = append(has, textsearch.Property(v))
	}
	return has, contains, models
}

// placeCheck is a condition on where a text stands that is looked at row by row.
type placeCheck struct {
	not       bool
	inContext bool
	messages  map[int64]bool
	summaries map[string]bool
}

// allows reports whether the checks let a hit pass.
func (s *conditions) allows(h *Hit) bool {
	return !slices.ContainsFunc(s.checks, func(c placeCheck) bool { return c.holds(h) == c.not })
}

func (c placeCheck) holds(h *Hit) bool {
	switch {
	case c.inContext:
		return h.InContext
	case h.Kind == SummaryKind:
		return c.summaries[h.Summary]
	case h.Kind == MessageKind || h.Kind == PartKind:
		return c.messages[h.Message]
	}
	return false
}

// readConversations reads the conversations that a filter names. The list is never nil.
func (s *conditions) readConversations(ctx context.Context, f Filter) ([]int64, error) {
	all, err := lcm.Conversations(ctx, s.db)
	if err != nil {
		return nil, err
	}
	ids := []int64{}
	for _, v := range f.Values {
		n := len(ids)
		for i := range all {
			if isNamed(&all[i], f.Name, v) {
				ids = append(ids, all[i].ID)
			}
		}
		if len(ids) == n {
			s.note("%s: no conversation is %q", f.Name, v)
		}
	}
	return ids, nil
}

// isNamed reports whether a filter's value names a conversation: its id, or a part of its title
// or key; its agent; its session's key or id.
func isNamed(c *lcm.Conversation, filter, v string) bool {
	contains := func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(v)) }
	switch filter {
	case "agent":
		return strings.EqualFold(c.Agent(), v)
	case "session":
		return c.SessionKey == v || c.SessionID == v
	}
	if id, err := strconv.ParseInt(v, 10, 64); err == nil {
		return c.ID == id
	}
	return contains(c.Title) || contains(c.SessionKey)
}

// resolveIDs adds a condition for each kind of id.
func (s *conditions) resolveIDs(f Filter) error {
	c := textsearch.Condition{Not: f.Not}
	for _, v := range f.Values {
		switch {
		case strings.HasPrefix(v, "sum_"):
			c.Summaries = append(c.Summaries, v)
		case strings.HasPrefix(v, "file_"):
			c.Files = append(c.Files, v)
		default:
			c.Messages = append(c.Messages, parseMessageID(v))
		}
	}
	for _, one := range []textsearch.Condition{{Not: f.Not, Messages: c.Messages}, {Not: f.Not, Summaries: c.Summaries}, {Not: f.Not, Files: c.Files}} {
		if one.Messages != nil || one.Summaries != nil || one.Files != nil {
			s.ids = append(s.ids, one)
		}
	}
	return nil
}

// resolveUnder finds what the summaries of a filter were made of.
func (s *conditions) resolveUnder(ctx context.Context, f Filter) error {
	for _, id := range f.Values {
		if _, err := lcm.ReadSummary(ctx, s.db, id); err != nil {
			s.note("under: there is no summary %s", id)
		}
	}
	summaries, messages, err := textsearch.Sources(ctx, s.db, f.Values)
	s.checks = append(s.checks, placeCheck{not: f.Not, summaries: summaries, messages: messages})
	return err
}

// of returns the conditions on texts of a kind.
func (s *conditions) of(k Kind) (out []textsearch.Condition) {
	for _, c := range s.general {
		if isOfMessages := k == MessageKind || k == PartKind; (c.Kinds == nil || k == SummaryKind) && (!c.Recalled || isOfMessages) {
			out = append(out, c)
		}
	}
	for _, c := range s.ids {
		switch {
		case c.Messages != nil && (k == MessageKind || k == PartKind), c.Summaries != nil && k == SummaryKind, c.Files != nil && k == FileKind:
			out = append(out, c)
		}
	}
	return out
}

// ofPartMessages returns the conditions on the message of a part, without those on the part.
func (s *conditions) ofPartMessages() []textsearch.Condition {
	return slices.DeleteFunc(s.of(PartKind), func(c textsearch.Condition) bool {
		return c.Tools != nil || c.FileNames != nil || c.Has != nil
	})
}

// givenConversations returns the lists of conversations in each of which that of a hit has to be.
func (s *conditions) givenConversations() (lists [][]int64) {
	for _, c := range s.general {
		if c.Conversations != nil && !c.Not {
			lists = append(lists, c.Conversations)
		}
	}
	return lists
}

// readMessageRange reads the range of ids of messages that the filters leave.
func (s *conditions) readMessageRange(ctx context.Context) (textsearch.IDRange, error) {
	limits, ok, err := textsearch.MessageRange(ctx, s.db, nil)
	if err != nil || !ok {
		return textsearch.IDRange{From: 1, To: 0}, err
	}
	for _, list := range s.givenConversations() {
		in, ok, err := textsearch.MessageRange(ctx, s.db, list)
		if err != nil || !ok {
			return textsearch.IDRange{From: 1, To: 0}, err
		}
		limits = intersect(limits, in)
	}
	for _, c := range s.ids {
		if c.Messages != nil && !c.Not {
			limits = intersect(limits, textsearch.IDRange{From: slices.Min(c.Messages), To: slices.Max(c.Messages)})
		}
	}
	for _, c := range s.checks {
		if c.messages != nil && !c.not {
			limits = intersect(limits, extent(c.messages))
		}
	}
	return limits, nil
}
