package settings

import (
	"fmt"
	"strings"
)

// ProblemKind is what is wrong with a setting.
type ProblemKind string

// The kinds.
const (
	Unknown   ProblemKind = "unknown"   // No version has such a key or variable.
	WrongType ProblemKind = "type"      // The value is of another type.
	Range     ProblemKind = "range"     // The value is too small, too large, or none of the words.
	Empty     ProblemKind = "empty"     // A variable is set to the empty text.
	Gone      ProblemKind = "gone"      // The host of the file has it no more.
	Newer     ProblemKind = "newer"     // The host of the file doesn't have it yet.
	Misplaced ProblemKind = "misplaced" // It stands where no host looks.
	Shadowed  ProblemKind = "shadowed"  // Another place comes first.
)

// Problem is a setting that isn't in force as it stands, or that the host refuses.
type Problem struct {
	Place string      `json:"place"` // "environment", "flag", a file with variables, or a place in openclaw.json.
	Name  string      `json:"name"`  // The key or the variable.
	Value any         `json:"value"` // Null where it might be a secret.
	Kind  ProblemKind `json:"kind"`
	// Suggestion is the name, the place or the value that was probably meant; null is none.
	Suggestion *string `json:"suggestion"`
	InForce    any     `json:"in_force"` // What this program goes by instead; null where nothing.
	Text       string  `json:"text"`
	Next       string  `json:"hint"`

	used    bool // The setting is one that this program goes by.
	inForce bool // The value is in force nevertheless.
	cause   error
}

// Error implements error.
func (p *Problem) Error() string { return p.Text }

// Unwrap returns why the value is none of the setting, without its place; nil where something else is wrong.
func (p *Problem) Unwrap() error { return p.cause }

// Hint says what to do.
func (p *Problem) Hint() string { return p.Next }

// IsQuiet reports whether the problem is worth no warning: a setting that is shadowed stands there on purpose, mostly.
func (p *Problem) IsQuiet() bool { return p.Kind == Shadowed }

// StopsHost reports whether the host refuses its configuration because of it.
func (p *Problem) StopsHost() bool {
	if !strings.HasPrefix(p.Place, pluginPlace) {
		return false
	}
	switch p.Kind {
	case Unknown, WrongType, Range, Gone, Newer:
		return true
	}
	return false
}

// suggest notes what was probably meant, where that is known.
func (p *Problem) suggest(s string) {
	if s == "" {
		return
	}
	p.Suggestion = &s
	p.Text += "; did you mean " + s + "?"
}

// valueError says why a value is none of a setting.
type valueError struct {
	kind ProblemKind
	text string
}

func (e *valueError) Error() string { return e.text }

func wrongType(format string, args ...any) error {
	return &valueError{WrongType, fmt.Sprintf(format, args...)}
}

// maxShownText is how long a text of unknown meaning may be to be shown: a longer one may be a key or a password.
const maxShownText = 16

// shownValue returns the value of something unknown, or nil where it might be a secret.
func shownValue(name string, v any) any {
	for _, secret := range []string{"key", "token", "secret", "pass", "auth", "url", "api", "credential"} {
		if strings.Contains(strings.ToLower(name), secret) && !isNumber(v) {
			return nil
		}
	}
	switch v := v.(type) {
	case string:
		if len(v) > maxShownText {
			return nil
		}
		return v
	case float64, bool:
		return v
	}
	return nil
}

// isNumber reports whether a value is a number, or a text of digits.
func isNumber(v any) bool {
	if s, ok := v.(string); ok {
		return len(s) <= maxShownText/2 && strings.Trim(s, "0123456789.") == ""
	}
	_, ok := v.(float64)
	return ok
}
