package repair

import (
	"context"
	"slices"
	"strconv"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
)

// timeLayouts are the layouts of times that other programs write.
var timeLayouts = []string{
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, time.UnixDate, "2006/01/02 15:04:05", "02.01.2006 15:04:05", "2006-01-02T15:04:05.999999999",
}

// parseOtherTime reads a time that isn't in a layout that hosts write.
func parseOtherTime(raw string) (time.Time, bool) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, raw); err == nil {
			return t.UTC(), true
		}
	}
	if n, err := strconv.ParseFloat(raw, 64); err == nil && n > 1e9 {
		if n > 1e11 {
			n /= 1000 // Milliseconds.
		}
		if n < 1e11 {
			return time.Unix(int64(n), 0).UTC(), true
		}
	}
	return time.Time{}, false
}

// repairTimes writes times in the usual layout, or takes that of the nearest message.
func repairTimes(ctx context.Context, s *state) error {
	if !s.found.has(integrity.TimeInvalid) {
		return nil
	}
	headers := slices.Collect(s.messages.All())
	for _, f := range s.found.of(integrity.TimeInvalid) {
		if f.Table != "messages" {
			if !repairSummaryTime(s, f) {
				s.found.leave(f, "no message below it has a valid time")
			}
			continue
		}
		at := slices.IndexFunc(headers, func(m lcm.MessageHeader) bool { return m.ID == id(f.Row) })
		if at < 0 {
			continue
		}
		t, ok := parseOtherTime(headers[at].CreatedAt.Raw)
		if !ok || t.After(s.db.Now()) {
			t, ok = neighbourTime(headers, at, s.db.Now())
		}
		if !ok {
			s.found.leave(f, "it can't be read, and no message near it has a valid time; only the transcript has it")
			continue
		}
		rows, err := messageRows(ctx, s, []int64{headers[at].ID}, "created_at")
		if err != nil {
			return err
		}
		for _, r := range rows {
			s.rows.Set("messages", r, data.Row{"created_at": data.FormatTime(t)})
		}
		headers[at].CreatedAt = timeOf(data.FormatTime(t))
		s.messages.Update(headers[at])
		s.found.markRepaired(f)
	}
	return nil
}

// neighbourTime returns the time of the nearest message that has a valid one.
func neighbourTime(headers []lcm.MessageHeader, at int, now time.Time) (time.Time, bool) {
	for distance := 1; distance < len(headers); distance++ {
		for _, i := range []int{at - distance, at + distance} {
			if i < 0 || i >= len(headers) {
				continue
			}
			if t := headers[i].CreatedAt; t.Valid() && t.Before(now.AddDate(0, 0, 1)) {
				return t.Time, true
			}
		}
	}
	return time.Time{}, false
}

// repairSummaryTime sets the time of a summary to that of the newest message below it; it
// reports false where no message tells.
func repairSummaryTime(s *state, f integrity.Finding) bool {
	n := s.graph.Summary(f.Row)
	if n == nil {
		return true
	}
	t, ok := parseOtherTime(n.CreatedAt.Raw)
	if !ok || t.After(s.db.Now()) {
		t, ok = time.Time{}, false
		for m := range s.graph.MessagesBelow(n.ID) {
			if at := s.messages.Header(m).CreatedAt; at.Valid() && at.After(t) && at.Before(s.db.Now().AddDate(0, 0, 1)) {
				t, ok = at.Time, true
			}
		}
	}
	if !ok {
		return false
	}
	n.CreatedAt = timeOf(data.FormatTime(t))
	s.graph.Set(n, data.Row{"created_at": data.FormatTime(t)})
	s.found.markRepaired(f)
	return true
}

// timeOf returns a time as it is read from the file.
func timeOf(raw string) (t data.Time) {
	_ = t.Scan(raw) // Never fails.
	return t
}
