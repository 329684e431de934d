package retrieve

import (
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
