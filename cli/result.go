package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ui"
)

// result is what a command has to say: its JSON is that of the value itself.
type result interface {
	// text prints it for people.
	Print(p *printer)
	// warn adds what to beware of.
	Warn(warnings []string)
}

// streamed is a result that writes its JSON piece by piece, where it may be large.
type streamed interface{ Stream(out io.Writer) error }

// planned is a result with the changes of a plan, of which there may be very many.
type planned interface{ PlannedChanges() *[]change.Change }

// streamChanges writes the JSON of a result with one change in memory at a time.
func streamChanges(out io.Writer, r result, changes *[]change.Change) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	all := *changes
	*changes = []change.Change{}
	err := enc.Encode(r)
	if *changes = all; err != nil {
		return err
	}
	before, after, _ := bytes.Cut(bytes.Clone(b.Bytes()), []byte(`"changes":[]`)) // In a text before it, the marks are escaped.
	if _, err := out.Write(slices.Concat(before, []byte(`"changes":[`))); err != nil {
		return err
	}
	for i, c := range all {
		b.Reset()
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(c); err != nil {
			return err
		}
		if _, err := out.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n"))); err != nil {
			return err
		}
	}
	_, err = out.Write(append([]byte("]"), after...))
	return err
}

// warningList is the part of a result that carries warnings.
type warningList struct {
	Warnings []string `json:"warnings,omitempty"`
}

func (c *warningList) Warn(warnings []string) { c.Warnings = append(c.Warnings, warnings...) }

// emit writes a result to standard output.
func (c *invocation) emit(r result, warnings []error) error {
	if !c.opts.JSON {
		p := c.newPrinter()
		p.damaged = slices.ContainsFunc(warnings, func(w error) bool { return errors.Is(w, data.ErrDamaged) })
		r.Print(p)
		return p.flush()
	}
	for _, w := range warnings {
		r.Warn([]string{w.Error()})
	}
	out := bufio.NewWriterSize(c.sys.Out, 1<<16)
	if s, ok := r.(streamed); ok && !terminal(c.sys.Out) {
		if err := s.Stream(controlEscaper{out}); err != nil {
			return err
		}
		return out.Flush()
	}
	if p, ok := r.(planned); ok && len(*p.PlannedChanges()) > 0 && !terminal(c.sys.Out) {
		if err := streamChanges(controlEscaper{out}, r, p.PlannedChanges()); err != nil {
			return err
		}
		return out.Flush()
	}
	enc := json.NewEncoder(controlEscaper{out}) // It writes whole values, so no character is torn.
	enc.SetEscapeHTML(false)
	if terminal(c.sys.Out) {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(r); err != nil {
		return err
	}
	return out.Flush()
}

// newPrinter is how text gets to standard output.
func (a *app) newPrinter() *printer {
	painted := a.sys.paint(a.sys.Out, a.opts.NoColor)
	p := &printer{out: &lineBuffer{to: painted}, bare: a.sys.Out, styles: ui.NewStyles(a.hasDarkBackground())}
	if terminal(a.sys.Out) {
		p.width = width(a.sys.Out)
	}
	return p
}

// orNull is nil for what isn't there.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// nonNil is never nil, so that JSON has a list.
func nonNil(of []string) []string { return append([]string{}, of...) }
