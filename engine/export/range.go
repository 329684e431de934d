package export

import (
	"strconv"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// seqRange returns the seqs that the range of the export allows. Where it is one of times, the seqs
// of the first and the last message in it are found for the summaries; each message is still
// asked for its own time.
func (e *exporter) seqRange(c *conversation) (lcm.Seqs, error) {
	s := lcm.AllSeqs
	if e.o.From.Seq != nil {
		s.First = *e.o.From.Seq
	}
	if e.o.Until.Seq != nil {
		s.Last = *e.o.Until.Seq
	}
	if !e.o.From.At.IsZero() {
		seq, ok, err := lcm.SeqAt(e.ctx, e.db, c.ID, e.o.From.At)
		if err != nil || !ok {
			return lcm.Seqs{First: 1, Last: 0}, err
		}
		s.First = seq
	}
	return s, nil
}

// holdsTime reports whether a message of a time is in the range. A message without a valid time
// is in no range of times.
func (e *exporter) holdsTime(t data.Time) bool {
	from, until := e.o.From.At, e.o.Until.At
	if from.IsZero() && until.IsZero() {
		return true
	}
	return t.Valid() && (from.IsZero() || !t.Before(from)) && (until.IsZero() || !t.After(until))
}

// isoTime returns a time as JavaScript writes it, or empty where the stored text is no time.
func isoTime(t data.Time) string {
	if !t.Valid() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// clock returns a time for people: in UTC, to the second.
func clock(t data.Time) string {
	if !t.Valid() {
		return t.Raw
	}
	return t.UTC().Format(time.DateTime)
}

// grouped returns a number with commas between its thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
