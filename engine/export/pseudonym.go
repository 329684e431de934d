package export

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// Pseudonyms is a Scrubber that replaces session keys, phone numbers and home folders. The same
// key has the same pseudonym all through an export, and another one in the next, so that nobody
// can guess it back.
type Pseudonyms struct {
	salt  [16]byte
	names *strings.Replacer // Session keys of an unusual form.
}

// NewPseudonyms makes pseudonyms for a file with these session keys.
func NewPseudonyms(keys []string) *Pseudonyms {
	p := &Pseudonyms{}
	_, _ = rand.Read(p.salt[:]) // It never fails.
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	var pairs []string
	for _, key := range slices.Compact(keys) {
		if len(key) < minKeyLength {
			continue
		}
		pseudonym := p.Key(key)
		pairs = append(pairs, key, pseudonym)
		if quoted := strings.Trim(string(jstext.Quote(key)), `"`); quoted != key {
			pairs = append(pairs, quoted, pseudonym)
		}
	}
	p.names = strings.NewReplacer(pairs...)
	return p
}

// minKeyLength is the length of the shortest session key that is looked for in texts: a shorter
// one may be any word.
const minKeyLength = 8

// Key returns the pseudonym of a session key.
func (p *Pseudonyms) Key(key string) string {
	if key == "" {
		return ""
	}
	return "[redacted-session-key:" + p.Digest(key) + "]"
}

// Digest returns a short digest of a text, which is different in the next export.
func (p *Pseudonyms) Digest(text string) string {
	h := hmac.New(sha256.New, p.salt[:])
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)[:4])
}

var (
	// sessionKey matches keys as OpenClaw makes them.
	sessionKey = lazyregexp.New(`\bagent:[\w.-]+(?::[^\s"'<>(),;\[\]{}\\|:]+)+`)
	// phone matches numbers in the international form, and the ids that chats make of them.
	phone = lazyregexp.New(`\+[1-9](?:[ .()-]{0,2}\d){7,14}\b|\b\d{7,20}(?:-\d{7,20})?@(?:s\.whatsapp\.net|c\.us|g\.us|lid)\b`)
	// home matches the home folder of a user.
	home = lazyregexp.New(`(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2})[^/\\\s"'<>:]+|/root\b`)
	// sender matches what a host noted about who sent a message.
	sender = lazyregexp.New(`("(?:sender(?:Id|Name|Username|Tag|E164)|sender_id|sender|username|e164)"\s*:\s*)"((?:[^"\\]|\\.)+)"`)
)

// Scrub implements Scrubber.
func (p *Pseudonyms) Scrub(text string) string {
	text = sessionKey.ReplaceAllStringFunc(text, p.Key)
	text = p.names.Replace(text)
	if strings.ContainsAny(text, "+@") {
		text = phone.ReplaceAllStringFunc(text, func(n string) string { return "[redacted-phone:" + p.Digest(n) + "]" })
	}
	if strings.Contains(text, `"sender`) || strings.Contains(text, `"username`) || strings.Contains(text, `"e164`) {
		text = sender.ReplaceAllStringFunc(text, func(member string) string {
			m := sender.FindStringSubmatch(member)
			return m[1] + `"[redacted-person:` + p.Digest(m[2]) + `]"`
		})
	}
	return home.ReplaceAllString(text, "~")
}
