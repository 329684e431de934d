package model

import (
	"cmp"
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
	Next       string // What can be done about it; empty is what helps with the kind.
	Keyless    bool   // The key is refused because none was sent.
	Untrusted  bool   // The connection fails before anything is asked, and will at the next call: its certificate isn't trusted, or it isn't TLS.
	Cause      error
}

// words are what is said of each kind of failure.
var words = map[Kind]struct {
	phrase   string // Follows "ask anthropic: ".
	next     string // What can be done about it, or empty.
	onScreen string // The same where no flag can be given; empty is next.
}{
	KindSetup: {"", "", "choose another model with M"},
	KindAuth: {
		"the key is refused", "set the vendor's own key, or choose another provider; lcm-tui config shows what is in force",
		"set its key in the environment and start lcm-tui again, or choose another model with M",
	},
	KindQuota: {
		"the quota is used up", "look at the vendor's billing page, or choose another provider or --provider extractive, which costs nothing",
		"look at the vendor's billing page, or choose another model with M: the built-in summarizer costs nothing",
	},
	KindRate:          {"too many calls", "wait a while and try again", ""},
	KindOverloaded:    {"overloaded", "wait a while and try again, or choose another model", ""},
	KindServer:        {"the server failed", "try again, or choose another model", ""},
	KindContextLength: {"the text is too long for the model", "choose a model with a larger window, or set leafChunkTokens lower", ""},
	KindUnknownModel: {
		"the model is not known there", "check --model and the base URL; lcm-tui config shows what is in force",
		"choose another model with M, or check its name and the base URL in the settings",
	},
	KindBadRequest: {
		"the request is refused", "",
		"check the base URL and the API in the settings, or choose another model with M",
	},
	KindNetwork: {
		"the connection failed", "check the network and the base URL; lcm-tui config shows what is in force",
		"check the network, and the base URL in the settings",
	},
	KindTimeout: {"no answer in time", "allow more time with LCM_SUMMARY_TIMEOUT_MS, or choose a faster model", ""},
	KindMalformed: {
		"the answer can't be understood", "check the base URL and --api; lcm-tui config shows what is in force",
		"check the base URL and the API in the settings, or choose another model with M",
	},
	KindTruncated: {"the answer did not come to its end", "try again, or choose another model", ""},
	KindEmpty:     {"the answer holds no text", "try again, or choose another model", ""},
	KindMarked:    {"the answer is no summary", "try again, or choose another model", ""},
	KindRefused: {
		"the model declined", "choose another model, or --provider extractive",
		"choose another model with M",
	},
	KindCommand: {"the command failed", "", ""},
}

func (e *Error) Error() string {
	if e.Kind == KindSetup || e.Status == 0 && e.Kind == KindAuth {
		return "choose a model: " + e.Message
	}
	phrase := words[e.Kind].phrase
	if e.Keyless {
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
		if e.Status/100 == 3 || e.Status == 404 || e.Status == 405 {
			out = append(out, summarize.ErrPermanent)
		}
	case KindTruncated, KindEmpty, KindMarked:
		out = append(out, summarize.ErrIncomplete)
	case KindNetwork:
		if e.Untrusted {
			out = append(out, summarize.ErrPermanent)
		}
	}
	if e.Cause != nil {
		out = append(out, e.Cause)
	}
	return out
}

// Hint says what can be done about it, or nothing.
func (e *Error) Hint() string { return cmp.Or(e.Next, words[e.Kind].next) }

// ScreenHint says it for a screen, where no flag can be given.
func (e *Error) ScreenHint() string { return cmp.Or(words[e.Kind].onScreen, e.Hint()) }

// AskedWait returns how long the vendor wants to be left alone; 0 is not said.
func (e *Error) AskedWait() time.Duration { return e.RetryAfter }

// IsRetryable reports whether the same call may succeed a little later.
func (e *Error) IsRetryable() bool {
	switch e.Kind {
	case KindRate, KindOverloaded, KindServer:
		return true
	case KindNetwork:
		return !e.Untrusted
	}
	return false
}
