package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// Allow is what the user doesn't take for a secret.
type Allow struct {
	// StopWords are texts, in any case, that stand in no secret.
	StopWords []string
	// Patterns match values that aren't secrets.
	Patterns []*regexp.Regexp
}

func (a Allow) allows(secret string) bool {
	if len(a.StopWords) > 0 {
		lower := strings.ToLower(secret)
		for _, w := range a.StopWords {
			if w != "" && strings.Contains(lower, strings.ToLower(w)) {
				return true
			}
		}
	}
	for _, p := range a.Patterns {
		if p.MatchString(secret) {
			return true
		}
	}
	return false
}

// maskParts stand where a secret was left out or is put in later.
var maskParts = []string{
	"***", "•••", "…", "...", "xxxxx", "XXXXX", "[REDACTED", "[redacted", "<redacted", "REDACTED", "${", "$(", "{{", "}}", "<%", "%s", "%v", "#{",
	"[LCM ", "[lcm_", "EXAMPLE", "example", "YOUR_", "YOUR-", "your_", "your-", "changeme", "CHANGEME", "placeholder", "PLACEHOLDER", "dummy",
}

// sampleParts stand in values that only look random. A value with the format of a vendor may have them.
var sampleParts = []string{"process.env", "os.environ", "getenv", "123456789", "abcdefgh", "ABCDEFGH", "deadbeef", "loremipsum"}

// identifier matches what hosts name files, summaries, calls and sessions by.
var identifier = lazyregexp.New(`^(?:(?:file|sum|msg|call|toolu|tool|chatcmpl|resp|req|run|fc|rs|item|batch|node|entry|event)_[\w-]+|agent:[\w:.@+-]+)$`)

// universalID matches what most programs name things by, and a few vendors their keys.
var universalID = lazyregexp.New(`^(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`)

// exampleDigests are the first eight bytes of the SHA-256 of keys that vendors print in their
// documentation. Digests, so that no scanner takes this file for a leak.
var exampleDigests = map[string]bool{
	"2cafc0970149a84f": true, // Stripe's documentation
	"f2d6ca16515033e5": true, // Stripe's documentation
	"3543c50b0cb9cea8": true, // GitHub's documentation
	"2fc912685fb99a49": true, // Slack's documentation
	"7f75367e78812551": true, // jwt.io
	"da816f9f2c16e6c5": true, // jwt.io
	"78314b11be2e5815": true, // AWS's documentation
	"0b5dd075ccdd03c4": true, // Telegram's documentation
	"731fa294d036e54f": true, // Telegram's documentation
}

// isOrdinary reports whether a value that matched is no secret: a mask, a variable, an example of
// a vendor, an identifier.
func isOrdinary(secret string, class Class) bool {
	contained := func(part string) bool { return strings.Contains(secret, part) }
	if slices.ContainsFunc(maskParts, contained) || class != Sure && slices.ContainsFunc(sampleParts, contained) {
		return true
	}
	if identifier.MatchString(secret) || class != Sure && universalID.MatchString(secret) {
		return true
	}
	sum := sha256.Sum256([]byte(secret))
	return exampleDigests[hex.EncodeToString(sum[:8])]
}
