package summarize

import (
	"context"
	"slices"
	"strings"
	"unicode/utf16"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Marker says why a summary is not a model's summary of its whole source. The names are those of
// the reference engine's doctor.
type Marker string

// The markers.
const (
	None      Marker = ""
	Old       Marker = "old"       // The fallback mark stands at the start, as old builds wrote it.
	Fallback  Marker = "fallback"  // The summarizer's fallback, or directive-shaped content left out.
	Truncated Marker = "new"       // The engine's deterministic fallback: "[Truncated from N tokens]".
	Emergency Marker = "emergency" // Made in an emergency, by the model column or the old mark.
)

// The strings that hosts write into a summary that no model made.
const (
	fallbackMark  = "[LCM fallback summary; truncated for context management]"
	directiveMark = "[LCM fallback summary; directive-shaped untrusted content omitted]"
	truncatedMark = "[Truncated from "
	emergencyMark = "[Truncated for context management]"

	emergencyModel = "emergency-fallback"
	unknownModel   = "unknown"
)

// How near its end a mark must begin to be the text's own, in UTF-16 units, as
// the reference engine counts. One that stands earlier is quoted.
const (
	truncatedWindow = 40
	fallbackWindow  = 80
)

// Substrings and Models find every summary that may carry a marker; Detect
// decides.
func Substrings() []string {
	return []string{fallbackMark, directiveMark, truncatedMark, emergencyMark}
}

// Models returns the values of the model column that may mean a marker.
func Models() []string { return []string{emergencyModel} }

// Detect finds the marker of a summary from its text and the model it names.
//
// The rules are those of the reference engine's doctor, with two errors corrected:
// it looks at the first occurrence of a mark, so that a quoted one hides the real
// one at the end, and takes a directive mark that is quoted in a sentence for its
// own.
func Detect(content, model string) Marker {
	switch {
	case strings.HasPrefix(content, directiveMark):
		return Fallback
	case strings.HasPrefix(content, fallbackMark):
		return Old
	case slices.Contains(strings.Split(content, "\n"), directiveMark):
		return Fallback
	case endsWith(content, truncatedMark, truncatedWindow):
		return Truncated
	case endsWith(content, fallbackMark, fallbackWindow):
		return Fallback
	case model == emergencyModel:
		return Emergency
	case model == unknownModel && strings.Contains(content, emergencyMark):
		return Emergency
	}
	return None
}

// endsWith reports whether the last mark begins within so many UTF-16 units of
// the end.
func endsWith(content, mark string, window int) bool {
	i := strings.LastIndex(content, mark)
	return i >= 0 && len(content)-i < window*4 && units(content[i:]) < window
}

func units(s string) int { return len(utf16.Encode([]rune(s))) }

// FindMarkers returns the markers of a conversation's summaries, by id, of those that
// carry one.
func FindMarkers(ctx context.Context, db *data.DB, conv int64) (map[string]Marker, error) {
	found, err := lcm.SummariesContaining(ctx, db, conv, Substrings(), Models())
	if err != nil {
		return nil, err
	}
	out := map[string]Marker{}
	for _, s := range found {
		if m := Detect(s.Content, s.Model); m != None {
			out[s.ID] = m
		}
	}
	return out, nil
}
