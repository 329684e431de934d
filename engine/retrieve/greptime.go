package retrieve

import (
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
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

// Layouts of times: those that may end with a zone, and others.
var (
	zonedLayouts = []string{
		"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "Mon, 2 Jan 2006 15:04:05", "2 Jan 2006 15:04:05",
	}
	localLayouts = []string{
		"2006-1-2", "2006-1-2 15:04:05", "2006-1-2 15:04", "2006/1/2", "2006/1/2 15:04:05", "2006/1/2 15:04", "1/2/2006",
		"Jan 2, 2006", "January 2, 2006", "January 2 2006", "2 Jan 2006", "2 January 2006", "Jan 2 2006",
	}
)

// zoneOffsets are the zones that JavaScript knows by letters. Go would read others as UTC.
var zoneOffsets = map[string]string{
	"Z": "Z", "UT": "Z", "UTC": "Z", "GMT": "Z",
	"EST": "-05:00", "EDT": "-04:00", "CST": "-06:00", "CDT": "-05:00", "MST": "-07:00", "MDT": "-06:00", "PST": "-08:00", "PDT": "-07:00",
}

// endOfDay matches the end of a day that is written as its 24th hour.
var endOfDay = lazyregexp.New(`^(\d{4}-\d\d-\d\d)([T ])24:00(:00(?:\.0+)?)?($|[^\d:.].*$)`)

// parseJSTime reads a time as JavaScript's Date does: a date alone is midnight UTC, and a time of
// day without a zone is local.
func parseJSTime(text string, local *time.Location) (time.Time, bool) {
	if m := endOfDay.FindStringSubmatch(text); m != nil {
		if day, err := time.Parse(time.DateOnly, m[1]); err == nil {
			text = day.AddDate(0, 0, 1).Format(time.DateOnly) + m[2] + "00:00" + m[4]
		}
	}
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	text = strings.ToUpper(text)
	zoned := text
	if at := strings.LastIndexByte(text, ' '); at >= 0 {
		if last := text[at+1:]; zoneOffsets[last] != "" {
			zoned = text[:at] + zoneOffsets[last]
		} else if strings.HasPrefix(last, "+") || strings.HasPrefix(last, "-") {
			zoned = text[:at] + last
		}
	}
	for _, layout := range zonedLayouts {
		for _, zone := range []string{"Z07:00", "Z0700"} {
			if t, err := time.Parse(layout+zone, zoned); err == nil {
				return t, true
			}
		}
	}
	for _, layout := range slices.Concat(zonedLayouts, localLayouts) {
		if t, err := data.ParseInZone(layout, text, local); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
