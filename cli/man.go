package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *App) man() *cobra.Command {
	cmd := a.Command(GroupOther, "man", "Print the manual page", func(context.Context, *Invocation) (Result, error) { return nil, nil })
	cmd.Long = `Prints the manual page in the format of man(7).

Writes nothing.`
	cmd.Example = "  lcm-tui man | man -l -"
	cmd.RunE = a.Command(GroupOther, "man", "", func(context.Context, *Invocation) (Result, error) {
		return nil, writeManual(a.Sys.Out, cmd.Root())
	}).RunE
	return cmd
}

// writeManual writes the manual page of the program: what it is, its flags, and each command as its help
// explains it.
func writeManual(w io.Writer, root *cobra.Command) error {
	m := &manual{}
	m.line(`.TH "` + strings.ToUpper(root.Name()) + `" 1`)
	m.section("Name")
	m.text(root.Name() + " - " + root.Short)
	m.section("Synopsis")
	m.line(`\fB` + root.Name() + `\fP [\fIcommand\fP] [\fIargument...\fP] [\fIflags...\fP]`)
	m.section("Description")
	m.paragraphs(root.Long)
	m.section("Options")
	m.flags(root.Flags(), root.PersistentFlags())
	for _, g := range root.Groups() {
		m.section(g.Title)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				m.command(c)
			}
		}
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// manual is a page in the format of man(7).
type manual struct{ strings.Builder }

func (m *manual) line(s string) { m.WriteString(s + "\n") }

// text writes a text that may begin with what is an order elsewhere.
func (m *manual) text(s string) {
	m.line(`\&` + strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s))
}

func (m *manual) section(title string) { m.line(".SH " + strings.ToUpper(title)) }

// paragraphs writes the paragraphs of a help, and its lists as lines.
func (m *manual) paragraphs(text string) {
	for _, paragraph := range paragraphs(text) {
		m.line(".PP")
		for _, line := range paragraph {
			at := hangingIndent(line)
			if at > 0 {
				m.line(".TP")
				m.text(strings.TrimSpace(line[:at]))
			}
			m.text(strings.TrimSpace(line[at:]))
		}
	}
}

func (m *manual) command(c *cobra.Command) {
	m.line(".SS " + strings.ReplaceAll(c.Use, "-", `\-`))
	m.text(c.Short + ".")
	m.paragraphs(c.Long)
	m.flags(c.LocalFlags())
}

func (m *manual) flags(sets ...*pflag.FlagSet) {
	seen := map[string]bool{}
	for _, set := range sets {
		set.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Deprecated != "" || seen[f.Name] {
				return
			}
			seen[f.Name] = true
			m.line(".TP")
			m.line(fmt.Sprintf(`\fB%s\fP`, strings.ReplaceAll(flagLabel(f), "-", `\-`)))
			m.text(flagAbout(f))
		})
	}
}
