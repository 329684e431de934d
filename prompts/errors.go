package prompts

import (
	"errors"
	"regexp"
	"strings"
)

var (
	errNoFile   = errors.New("it is not a regular file of at most 1 MB")
	errNoText   = errors.New("it is not UTF-8 text")
	errNoFolder = errors.New("it is not a folder")
)

// UnknownError says that there is no template with a name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return "there is no template " + e.Name }

// Hint lists the templates.
func (e *UnknownError) Hint() string { return "the templates are " + strings.Join(names, ", ") }

// FolderError says that a folder of templates can't be used.
type FolderError struct {
	Path string
	Err  error
}

func (e *FolderError) Error() string { return "open the folder of templates: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *FolderError) Unwrap() error { return e.Err }

// Hint says how to make such a folder.
func (e *FolderError) Hint() string {
	return "check --prompt-dir and LCM_PROMPT_DIR; lcm-tui prompts export DIR makes such a folder"
}

// TemplateError says what is wrong with a template and in which line.
type TemplateError struct {
	Where string // The file, with the line where that is known.
	Err   error
}

func (e *TemplateError) Error() string { return "template " + e.Where + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *TemplateError) Unwrap() error { return e.Err }

// Hint lists the variables of templates.
func (e *TemplateError) Hint() string { return "the variables are " + variables() }

// ExistsError says that a file exists that holds another text than the template to write.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string { return "the file exists and is different: " + e.Path }

// Hint says how to overwrite it.
func (e *ExistsError) Hint() string { return "nothing was written; --force overwrites the file" }

// These are the forms of the errors of text/template.
var (
	placedError = regexp.MustCompile(`(?s)^template: [^:]*(:\d+)(?::\d+)?: (?:executing ".*?" at (<.*?>): )?(.*)$`)
	unknownFunc = regexp.MustCompile(`^function "(\w+)" not defined$`)
	unknownVar  = regexp.MustCompile(`^can't evaluate field (\S+) in type \S+$`)
	noRange     = regexp.MustCompile(`(?s)^range can't iterate over .*`) // It goes on with the whole value.
)

// newTemplateError puts an error of text/template in plain words.
func newTemplateError(t Template, err error) *TemplateError {
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
	return &TemplateError{Where: where, Err: &plainError{strings.ReplaceAll(msg, "prompts.Vars", "all variables"), err}}
}

// plainError is an error with another message.
type plainError struct {
	msg string
	err error
}

func (r *plainError) Error() string { return r.msg }

// Unwrap gives the original error.
func (r *plainError) Unwrap() error { return r.err }
