package data

import (
	"strconv"
	"strings"
	"time"

	"lcm-tui/internal/lazyregexp"
)

// ForgottenPrefix begins the stub that stands where a message's text was forgotten. SQL may
// select by it; IsForgotten compares the whole text.
const ForgottenPrefix = "[LCM Forgotten: "

// unknownDate stands in a stub for the date of a message without a valid time.
const unknownDate = "unknown date"

// forgotten matches a whole stub: no host writes or resolves a text of this form.
var forgotten = lazyregexp.New(`^\[LCM Forgotten: (\S+) message (-?\d+), (\d{4}-\d\d-\d\d|` + unknownDate + `), (\d+) bytes\](?: files: (file_\w+(?:,? file_\w+)*))?$`)

// Forgotten is what a stub says of the message whose text it replaced.
type Forgotten struct {
	Role  string
	Seq   int64    // The message's number in the conversation that it was forgotten in.
	Date  string   // The UTC day of the message; empty where its time was unknown.
	Bytes int64    // The size of the forgotten text.
	Files []string // The ids of the large files that the text named.
}

// ForgottenText returns the stub that replaces a message's text of so many bytes: it differs in
// every row of a conversation, and still names the files that the text named. A zero time is
// one that is unknown.
func ForgottenText(role string, seq int64, at time.Time, bytes int64, files []string) string {
	date := unknownDate
	if !at.IsZero() {
		date = at.UTC().Format(time.DateOnly)
	}
	stub := ForgottenPrefix + role + " message " + strconv.FormatInt(seq, 10) + ", " + date + ", " + strconv.FormatInt(bytes, 10) + " bytes]"
	if len(files) > 0 {
		stub += " files: " + strings.Join(files, ", ")
	}
	return stub
}

// ParseForgotten returns what a stub says, and false for any other text.
func ParseForgotten(text string) (f Forgotten, ok bool) {
	if !strings.HasPrefix(text, ForgottenPrefix) {
		return f, false
	}
	m := forgotten.FindStringSubmatch(text)
	if m == nil {
		return f, false
	}
	f.Role = m[1]
	f.Seq, _ = strconv.ParseInt(m[2], 10, 64) // The pattern admits digits only.
	f.Bytes, _ = strconv.ParseInt(m[4], 10, 64)
	if m[3] != unknownDate {
		f.Date = m[3]
	}
	if m[5] != "" {
		f.Files = strings.Fields(strings.ReplaceAll(m[5], ",", " "))
	}
	return f, true
}

// IsForgotten reports whether a text is the stub of a forgotten text.
func IsForgotten(text string) bool {
	_, ok := ParseForgotten(text)
	return ok
}
