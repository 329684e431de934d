package prompts

import (
	"errors"
	"regexp"
	"strings"
)

var (
	errNoFile   = errors.New("this is no ordinary file of at most 1 MB")
	errNoText   = errors.New("this is no UTF-8 text")
	errNoFolder = errors.New("this is no folder")
)

// UnknownError says that there is no template of a name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return "there is no template " + e.Name }

// Hint says which there are.
func (e *UnknownError) Hint() string { return "the templates are " + strings.Join(names, ", ") }

// FolderError says that a folder of templates that was asked for can't be used.
type FolderError struct {
	Path string
	Err  error
}

func (e *FolderError) Error() string { return "open the folder of templates: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *FolderError) Unwrap() error { return e.Err }

// Hint says how to make one.
func (e *FolderError) Hint() string {
	return "check --prompt-dir and LCM_PROMPT_DIR; lcm-tui prompts export DIR makes such a folder"
}

// TemplateError says what is wrong with a template, and where.
type TemplateError struct {
	Where string // The file, with the line where that is known.
	Err   error
}

func (e *TemplateError) Error() string { return "template " + e.Where + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *TemplateError) Unwrap() error { return e.Err }

// Hint says what a template can speak of.
func (e *TemplateError) Hint() string { return "the variables are " + variables() }

// ExistsError says that a template would be written over another text.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string { return "there is another text already in " + e.Path }

// Hint says how to write over it.
func (e *ExistsError) Hint() string { return "nothing was written; --force writes over what is there" }

// How the template package words what is wrong.
var (
	placed    = regexp.MustCompile(`(?s)^template: [^:]*(:\d+)(?::\d+)?: (.*)$`)
	executing = regexp.MustCompile(`(?s)^executing "[^"]*" at (<.*?>): (.*)$`)
	fieldless = regexp.MustCompile(`^can't evaluate field (\w+) in type .*$`)
	undefined = regexp.MustCompile(`^function "(\w+)" not defined$`)
)

// newTemplateError puts what the template package says into our words.
func newTemplateError(t Template, err error) error {
	where, msg := t.Path, err.Error()
	if where == "" {
		where = t.Name + suffix
	}
	if m := placed.FindStringSubmatch(msg); m != nil {
		where, msg = where+m[1], m[2]
	}
	if m := executing.FindStringSubmatch(msg); m != nil {
		msg = m[2] + " at " + m[1]
		if f := fieldless.FindStringSubmatch(m[2]); f != nil {
			msg = "there is no variable " + f[1]
		}
	}
	if m := undefined.FindStringSubmatch(msg); m != nil {
		msg = "there is no function " + m[1] + "; a variable begins with a dot"
	}
	return &TemplateError{Where: where, Err: &reworded{msg, err}}
}

// reworded is an error in other words.
type reworded struct {
	msg string
	err error
}

func (r *reworded) Error() string { return r.msg }

// Unwrap gives the error itself.
func (r *reworded) Unwrap() error { return r.err }
