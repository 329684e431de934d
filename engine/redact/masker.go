package redact

// Masker takes secrets out of texts that leave this machine or go into the context of a model. Its zero value has the
// rules of this program and masks what is likely a secret and what is sure to be one.
type Masker struct {
	// Scanner finds them; nil is that of the rules of this program.
	Scanner *Scanner
	// Least is the least certain class that is masked; empty is Likely.
	Least Class
}

// Shapes returns rules for what lossless-claude 0.2 masks, whatever stands in it: the rules of this program also
// ask whether a value is random enough to be one. They are for masking, where a placeholder too many costs little.
func Shapes() []Rule {
	rule := func(id, about, pattern string, keywords ...string) Rule {
		return Rule{ID: "shape-" + id, About: about, Class: Sure, Keywords: keywords, Pattern: pattern}
	}
	return []Rule{
		rule("openai", "what begins like a key of OpenAI", `\bsk-[A-Za-z0-9]{20,}`, "sk-"),
		rule("anthropic", "what begins like a key of Anthropic", `\bsk-ant-[A-Za-z0-9_-]{40,}`, "sk-ant-"),
		rule("github", "what begins like a token of GitHub", `\bghp_[A-Za-z0-9]{36,}`, "ghp_"),
		rule("aws", "what looks like the id of a key of AWS", `\bAKIA[0-9A-Z]{16}\b`, "akia"),
		rule("pem", "the first line of a private key", `-----BEGIN [A-Z ]*PRIVATE KEY-----`, "private key-----"),
		rule("bearer", "a token behind Bearer", `(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{8,})`, "bearer"),
		rule("password", "a value behind password", `(?i)\b(?:password|passwd|pwd)["']?\s*(?::=|[:=])\s*["']?([^\s"',;]+)`, "password", "passwd", "pwd"),
	}
}

// Mask returns a text with placeholders in the place of its secrets, and how many there were, each counted once. All
// else stays byte for byte. A placeholder that the text has already keeps its number for itself.
func (m Masker) Mask(text string) (masked string, secrets int) {
	r := NewRedactor(Likely)
	if m.Scanner != nil {
		r.Scanner = m.Scanner
	}
	if m.Least != "" {
		r.Least = m.Least
	}
	r.Placeholders = NewPlaceholders(LastNumber(text))
	masked, found := r.Redact(text)
	values := map[Secret]bool{}
	for _, f := range found {
		values[f.Secret] = true
	}
	return masked, len(values)
}
