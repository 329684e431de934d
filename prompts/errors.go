package prompts

import (
	"errors"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
)

var (
	errNoFile   = errors.New("it is not a regular file of at most 1 MB")
	errNoText   = errors.New("it is not UTF-8 text")
	errNoFolder = errors.New("it is not a folder")
)

// These are the forms of the errors of text/template.
var (
	placedError = lazyregexp.New(`(?s)^template: [^:]*(:\d+)(?::\d+)?: (?:executing ".*?" at (<.*?>): )?(.*)$`)
	unknownFunc = lazyregexp.New(`^function "(\w+)" not defined$`)
	unknownVar  = lazyregexp.New(`^can't evaluate field (\S+) in type \S+$`)
	noRange     = lazyregexp.New(`(?s)^range can't iterate over .*`) // It goes on with the whole value.
)

// templateError says what is wrong with a template, and where: in which file, with the line where that is known.
func templateError(where, why string, err error) error {
	return &hint.Error{Text: "template " + where + ": " + why, Next: "the variables are " + variables(), Err: err}
}

// explainedError puts an error of text/template in plain words.
func explainedError(t Template, err error) error {
	where, msg, part := t.Path, err.Error(), ""
	if where == "" {
		where = t.Name + suffix
	}
	if m := placedError.FindStringSubmatch(msg); m != nil {
		where, part, msg = where+m[1], m[2], m[3]
	}
	switch {
	case unknownFunc.MatchString(msg):
		msg = unknownFunc.ReplaceAllString(msg, "there is no function $1; write a variable with a dot before its name")
	case unknownVar.MatchString(msg):
		msg = unknownVar.ReplaceAllString(msg, "there is no variable $1") // It names the part that is wrong.
	case part != "":
		msg = noRange.ReplaceAllString(msg, "range can't iterate over this value") + " at " + part
	}
	return templateError(where, strings.ReplaceAll(msg, "prompts.Vars", "all variables"), err)
}
