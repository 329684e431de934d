package prompts

import (
	"reflect"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// Vars are the variables of a template. They have no methods that a template could call.
type Vars struct {
	TargetTokens       int    // The wanted size of the summary.
	PreviousContext    string // The summaries just before, or empty.
	ChildCount         int    // How many messages or summaries the source has.
	TimeRange          string // The time that they cover.
	Depth              int    // Of the summary that is made: 0 for a leaf.
	SourceText         string // The text to summarize.
	CustomInstructions string // The operator's, or empty.
}

// variables returns the names of the variables, separated by commas.
func variables() string {
	var out []string
	for f := range reflect.TypeFor[Vars]().Fields() {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}

// enclosing are the tags that the templates put around texts.
var enclosing = lazyregexp.New(`(?i)<(\s*/?\s*)(conversation_segment|conversation_to_condense|file_sample|previous_context|operator_instructions)\b`)

// escaped returns the variables with texts that can neither close the tag around them nor open
// one: such a tag gets a backslash, which readers understand.
func (v Vars) escaped() Vars {
	for _, text := range []*string{&v.PreviousContext, &v.SourceText, &v.TimeRange, &v.CustomInstructions} {
		*text = enclosing.ReplaceAllString(*text, `<\$1$2`)
	}
	return v
}
