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

// Result is what a command has to say: its JSON is that of the value itself.
type Result interface {
	// text prints it for people.
	Print(p *Printer)
	// Warn adds what to beware of.
	Warn(warnings []string)
}

// streamed is a result that writes its JSON piece by piece, where it may be large.
type streamed interface{ Stream(out io.Writer) error }

// planned is a result with the changes of a plan, of which there may be very many.
type planned interface{ PlannedChanges() *[]change.Change }

// streamChanges writes the JSON of a result with one change in memory at a time.
func streamChanges(out io.Writer, r Result, changes *[]change.Change) error {
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

// WarningList is the part of a result that carries warnings.
type WarningList struct {
	Warnings []string `json:"warnings,omitempty"`
}

// Warn implements Result.
func (c *WarningList) Warn(warnings []string) { c.Warnings = append(c.Warnings, warnings...) }

// Emit writes a result to standard output.
func (c *Invocation) Emit(r Result, warnings []error) error {
	if !c.Opts.JSON {
		p := c.NewPrinter()
		p.damaged = slices.ContainsFunc(warnings, func(w error) bool { return errors.Is(w, data.ErrDamaged) })
		r.Print(p)
		return p.Flush()
	}
	for _, w := range warnings {
		r.Warn([]string{w.Error()})
	}
	out := bufio.NewWriterSize(c.Sys.Out, 1<<16)
	if s, ok := r.(streamed); ok && !IsTerminal(c.Sys.Out) {
		if err := s.Stream(ControlEscaper{To: out}); err != nil {
			return err
		}
		return out.Flush()
	}
	if p, ok := r.(planned); ok && len(*p.PlannedChanges()) > 0 && !IsTerminal(c.Sys.Out) {
		if err := streamChanges(ControlEscaper{To: out}, r, p.PlannedChanges()); err != nil {
			return err
		}
		return out.Flush()
	}
	enc := json.NewEncoder(ControlEscaper{To: out}) // It writes whole values, so no character is torn.
	enc.SetEscapeHTML(false)
	if IsTerminal(c.Sys.Out) {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(r); err != nil {
		return err
	}
	return out.Flush()
}

// NewPrinter returns how text gets to standard output.
func (a *App) NewPrinter() *Printer {
	painted := a.Sys.paint(a.Sys.Out, a.Opts.NoColor)
	p := &Printer{out: &lineBuffer{to: painted}, bare: a.Sys.Out, Styles: ui.NewStyles(hasDarkBackground(a))}
	if IsTerminal(a.Sys.Out) {
		p.Width = width(a.Sys.Out)
	}
	return p
}

// OrNull returns nil for what isn't there.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// NonNil never returns nil, so that JSON has a list.
func NonNil(of []string) []string { return append([]string{}, of...) }
