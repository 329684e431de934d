package model

import (
	"net/http"
	"strconv"
	"time"

	"lcm-tui/engine/summarize"
)

// Kind says what went wrong.
type Kind string

// The kinds of failure.
const (
	KindSetup         Kind = "setup"          // Nothing was asked: a choice is missing or contradicts another.
	KindAuth          Kind = "auth"           // The key is missing or refused.
	KindQuota         Kind = "quota"          // What was paid for is used up.
	KindRate          Kind = "rate"           // Too many calls in a short time.
	KindOverloaded    Kind = "overloaded"     // The vendor has too much to do.
	KindServer        Kind = "server"         // The vendor failed.
	KindContextLength Kind = "context_length" // The prompt is too long for the model.
	KindUnknownModel  Kind = "unknown_model"
	KindBadRequest    Kind = "bad_request"
	KindNetwork       Kind = "network"
	KindTimeout       Kind = "timeout"
	KindMalformed     Kind = "malformed" // An answer that isn't one, such as an HTML page.
	KindTruncated     Kind = "truncated" // The answer didn't end by itself.
	KindEmpty         Kind = "empty"     // No text, or only reasoning.
	KindMarked        Kind = "marked"    // With the mark of a summary that no model made.
	KindRefused       Kind = "refused"   // The model or a filter declined.
	KindCommand       Kind = "command"   // A program couldn't be run, or failed.
)

// Error is a call that gave no summary.
type Error struct {
	Kind     Kind
	Provider string
	Status   int    // Of HTTP, or 0.
	Message  string // The vendor's own words, or ours.
	// RetryAfter is how long the vendor wants to be left alone; 0 is not said.
	RetryAfter time.Duration
	hint       string
	keyless    bool // The key is refused because none was sent.
	cause      error
}

// kindTexts say each kind in words that follow "ask anthropic: ".
var kindTexts = map[Kind]string{
	KindAuth:          "the key is refused",
	KindQuota:         "the quota is used up",
	KindRate:          "too many calls",
	KindOverloaded:    "overloaded",
	KindServer:        "the server failed",
	KindContextLength: "the text is too long for the model",
	KindUnknownModel:  "the model is not known there",
	KindBadRequest:    "the request is refused",
	KindNetwork:       "the connection failed",
	KindTimeout:       "no answer in time",
	KindMalformed:     "the answer can't be understood",
	KindTruncated:     "the answer did not come to its end",
	KindEmpty:         "the answer holds no summary",
	KindMarked:        "the answer is no summary",
	KindRefused:       "the model declined",
	KindCommand:       "the command failed",
}

func (e *Error) Error() string {
	if e.Kind == KindSetup || e.Status == 0 && e.Kind == KindAuth {
		return "choose a model: " + e.Message
	}
	phrase := kindTexts[e.Kind]
	if e.keyless {
		phrase = "it wants a key, and none was sent"
	}
	text := "ask " + e.Provider + ": " + phrase
	if e.Status != 0 {
		text += " (" + strconv.Itoa(e.Status) + ")"
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap gives the cause; summarize.ErrAuth where the key is at fault;
// summarize.ErrPermanent where no other call can succeed; and summarize.ErrIncomplete
// where the same model may do better when asked again.
func (e *Error) Unwrap() (out []error) {
	switch e.Kind {
	case KindAuth:
		out = append(out, summarize.ErrAuth, summarize.ErrPermanent)
	case KindQuota, KindUnknownModel, KindSetup:
		out = append(out, summarize.ErrPermanent)
	case KindBadRequest: // Nothing answers at this address, whatever is asked.
		if e.Status < 400 && e.Status >= 300 || e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed {
			out = append(out, summarize.ErrPermanent)
		}
	case KindTruncated, KindEmpty, KindMarked:
		out = append(out, summarize.ErrIncomplete)
	}
	if e.cause != nil {
		out = append(out, e.cause)
	}
	return out
}

// hints say what can be done about each kind.
var hints = map[Kind]string{
	KindAuth:          "set the vendor's own key, or choose another provider; lcm-tui config shows what is in force",
	KindQuota:         "look at the vendor's billing page, or choose another provider or --provider extractive, which costs nothing",
	KindRate:          "wait a while and try again",
	KindOverloaded:    "wait a while and try again, or choose another model",
	KindServer:        "try again, or choose another model",
	KindContextLength: "choose a model with a larger window, or set leafChunkTokens lower",
	KindUnknownModel:  "check --model and the base URL; lcm-tui config shows what is in force",
	KindNetwork:       "check the network and the base URL; lcm-tui config shows what is in force",
	KindTimeout:       "allow more time with LCM_SUMMARY_TIMEOUT_MS, or choose a faster model",
	KindMalformed:     "check the base URL and --api; lcm-tui config shows what is in force",
	KindTruncated:     "try again, or choose another model; nothing was written",
	KindEmpty:         "try again, or choose another model; nothing was written",
	KindMarked:        "try again, or choose another model; nothing was written",
	KindRefused:       "choose another model, or --provider extractive; nothing was written",
}

// Hint says what can be done about it, or nothing.
func (e *Error) Hint() string {
	if e.hint != "" {
		return e.hint
	}
	return hints[e.Kind]
}

// screenHints are hints for screens where those for commands name flags or commands.
var screenHints = map[Kind]string{
	KindSetup:        "choose another model with M",
	KindAuth:         "set its key in the environment and start lcm-tui again, or choose another model with M",
	KindQuota:        "look at the vendor's billing page, or choose another model with M: the built-in summarizer costs nothing",
	KindUnknownModel: "choose another model with M, or check its name and the base URL in the settings",
	KindNetwork:      "check the network, and the base URL in the settings",
	KindMalformed:    "check the base URL and the API in the settings, or choose another model with M",
	KindRefused:      "choose another model with M; nothing was written",
	KindBadRequest:   "check the base URL and the API in the settings, or choose another model with M",
}

// ScreenHint says it for a screen, where no flag can be given.
func (e *Error) ScreenHint() string {
	if hint := screenHints[e.Kind]; hint != "" {
		return hint
	}
	return e.Hint()
}

// isRetryable reports whether the same call may succeed a little later.
func (e *Error) isRetryable() bool {
	switch e.Kind {
	case KindRate, KindOverloaded, KindServer, KindNetwork:
		return true
	}
	return false
}

// setup is an error of the choice, before anything is asked.
func setup(message, hint string) *Error { return &Error{Kind: KindSetup, Message: message, hint: hint} }
