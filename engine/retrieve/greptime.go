package retrieve

import (
	"strings"
	"time"

	"lcm-tui/data/jstext"
)

// window is a range of time from since until before.
type window struct{ since, before moment }

// moment is a time that a request names; the zero value is none.
type moment struct {
	time time.Time
	text string // As the reference writes it.
}

func (w window) limited() bool { return w.since.text+w.before.text != "" }

// windowOf reads the times of a request. A time that can't be read, and a window without a
// moment in it, are a *ToolError.
func windowOf(since, before string) (w window, err error) {
	if w.since, err = momentOf("since", since); err != nil {
		return w, err
	}
	if w.before, err = momentOf("before", before); err != nil {
		return w, err
	}
	if w.since.text != "" && w.before.text != "" && !w.since.time.Before(w.before.time) {
		return w, &ToolError{Message: "`since` must be earlier than `before`."}
	}
	return w, nil
}

func momentOf(name, text string) (moment, error) {
	if text = jstext.Trim(text); text == "" {
		return moment{}, nil
	}
	t, ok := parseJSTime(text, time.Local) //nolint:gosmopolitan // JavaScript reads it so.
	if !ok {
		return moment{}, &ToolError{Message: "`" + name + "` must be a valid ISO timestamp.", Advice: "Write it as 2026-01-31 or 2026-01-31T09:30:00Z."}
	}
	return moment{t, t.UTC().Format("2006-01-02 15:04") + " UTC"}, nil
}

// parseJSTime reads a time as JavaScript's Date does: a date alone is midnight UTC, and a time of
// day without a zone is local.
func parseJSTime(text string, local *time.Location) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	iso := strings.ToUpper(text)
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z07:00"} {
		if t, err := time.Parse(layout, iso); err == nil {
			return t, true
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006/1/2", "2006/1/2 15:04:05", "2006/1/2 15:04", "1/2/2006", "Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2 January 2006", "Jan 2 2006"} {
		if t, err := time.ParseInLocation(layout, text, local); err == nil {
			return t, true
		}
	}
	for _, layout := range []string{time.RFC1123Z, time.RFC1123, "2 Jan 2006 15:04:05 MST", "2006-01-02 15:04:05 MST"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
