package prompts

import (
	"reflect"
	"regexp"
	"strings"
)

// Vars are what a template can speak of.
type Vars struct {
	TargetTokens       int    // The size that the summary should have.
	PreviousContext    string // The summaries just before, or empty.
	ChildCount         int    // How many messages or summaries there are.
	TimeRange          string // The stretch of time that they cover.
	Depth              int    // Of the summary that is made: 0 for a leaf.
	SourceText         string // What is to be summarized.
	CustomInstructions string // The operator's, or empty.
}

// variables are the names of the fields, as templates spell them.
func variables() string {
	var out []string
	for f := range reflect.TypeFor[Vars]().Fields() {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}

// enclosing are the tags that the templates put around texts.
var enclosing = regexp.MustCompile(`(?i)<(\s*/?\s*)(conversation_segment|conversation_to_condense|previous_context|operator_instructions)\b`)

// harmless are the variables with texts that can't close the tag that they stand
// in, nor open one: such tags get a backslash, which a reader sees through.
func (v Vars) harmless() Vars {
	for _, text := range []*string{&v.PreviousContext, &v.SourceText, &v.TimeRange, &v.CustomInstructions} {
		*text = enclosing.ReplaceAllString(*text, `<\$1$2`)
	}
	return v
}
