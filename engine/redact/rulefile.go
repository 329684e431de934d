package redact

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// ruleFile is a file with rules of the user.
type ruleFile struct {
	Rule []struct {
		ID       string   `toml:"id"`
		About    string   `toml:"about"`
		Regex    string   `toml:"regex"`
		Keywords []string `toml:"keywords"`
		Entropy  float64  `toml:"entropy"`
		Class    Class    `toml:"class"`
	} `toml:"rule"`
	Allow struct {
		Regexes   []string `toml:"regexes"`
		StopWords []string `toml:"stop-words"`
	} `toml:"allow"`
}

// ParseRules reads rules in TOML: [[rule]] with id, regex, keywords, entropy and class, which is
// likely where it isn't given; and [allow] with regexes and stop-words.
func ParseRules(text []byte) (rules []Rule, allow Allow, err error) {
	var f ruleFile
	if err := toml.Unmarshal(text, &f); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			return nil, allow, ruleError(fmt.Sprintf("in line %d", line), at.Error())
		}
		return nil, allow, ruleError("file", err.Error())
	}
	for _, r := range f.Rule {
		if r.Class == "" {
			r.Class = Likely
		}
		rules = append(rules, Rule{ID: r.ID, About: r.About, Class: r.Class, Keywords: r.Keywords, Pattern: r.Regex, Entropy: r.Entropy})
	}
	allow.StopWords = f.Allow.StopWords
	for _, pattern := range f.Allow.Regexes {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, allow, ruleError("in allow", "a regular expression can't be read")
		}
		allow.Patterns = append(allow.Patterns, re)
	}
	return rules, allow, nil
}

// ParsePatterns reads rules from lines, each a regular expression, as other programs have them.
// Empty lines and those that begin with # are passed over. What they match is sure.
func ParsePatterns(text string) (rules []Rule) {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rules = append(rules, Rule{ID: fmt.Sprintf("pattern-%d", i+1), About: fmt.Sprintf("the pattern in line %d", i+1), Class: Sure, Pattern: line})
	}
	return rules
}
