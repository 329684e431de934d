package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/internal/lazyregexp"
)

// The widths of help: in a pipe, and the widest that is still easy to read.
const (
	pipeHelpWidth   = 80
	widestHelp      = 100
	widestHelpEntry = 26 // A longer name has a line of its own.
)

// showHelp prints the help of a command, wrapped at the terminal.
func (a *App) showHelp(cmd *cobra.Command, _ []string) {
	p := a.NewPrinter()
	h := &helpPage{Printer: p, width: min(cmp.Or(p.Width, pipeHelpWidth), widestHelp)}
	p.Width = 0 // It is wrapped, not cut.
	h.text(cmp.Or(cmd.Long, cmd.Short))
	h.usage(cmd)
	h.examples(cmd)
	h.commands(cmd)
	h.flags(cmd)
	_ = p.Flush() // The output remembers its error.
}

// helpPage is help on its way to the output.
type helpPage struct {
	*Printer
	width int
}

// text writes paragraphs, and lists whose lines begin with blanks.
func (h *helpPage) text(text string) {
	for _, paragraph := range paragraphs(text) {
		for _, line := range paragraph {
			indent := hangingIndent(line)
			h.Block(line[:indent] + strings.Join(wrapWords(strings.Fields(line[indent:]), h.width-indent), "\n"+strings.Repeat(" ", indent)))
		}
		h.Write("\n")
	}
}

// paragraphs returns the lines of each paragraph of a text: one, or one for each entry of a list.
func paragraphs(text string) (out [][]string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var lines []string
		for line := range strings.SplitSeq(paragraph, "\n") {
			last := len(lines) - 1
			if last >= 0 && goesOn(lines[last], line) {
				lines[last] += " " + strings.TrimSpace(line)
			} else {
				lines = append(lines, line)
			}
		}
		out = append(out, lines)
	}
	return out
}

// goesOn reports whether a line belongs to the one before it.
func goesOn(before, line string) bool {
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }
	return indent(line) == hangingIndent(before) && (indent(line) == 0 || indent(line) > indent(before))
}

// hangingIndent returns where the further lines of an entry of a list begin: below what stands beside its
// name. Of a paragraph it is 0.
func hangingIndent(line string) int {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	if indent == 0 {
		return 0
	}
	if gap := strings.Index(rest, "  "); gap > 0 {
		return indent + len(rest) - len(strings.TrimLeft(rest[gap:], " "))
	}
	return indent
}

// wrapWords returns the lines of words, broken between them only: what is typed stays whole.
func wrapWords(words []string, width int) (lines []string) {
	for _, word := range words {
		last := len(lines) - 1
		if last < 0 || ansi.StringWidth(lines[last])+1+ansi.StringWidth(word) > width {
			lines = append(lines, word)
		} else {
			lines[last] += " " + word
		}
	}
	return lines
}

// usage writes how the command is typed.
func (h *helpPage) usage(cmd *cobra.Command) {
	h.Title("Usage")
	line := cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())
	if cmd.HasSubCommands() {
		line += " [COMMAND]"
	}
	h.code(line + " [--flags]")
	h.Write("\n")
}

// examples writes the examples, each in a line that can be copied.
func (h *helpPage) examples(cmd *cobra.Command) {
	if cmd.Example == "" {
		return
	}
	h.Title("Examples")
	for line := range strings.SplitSeq(strings.TrimSpace(cmd.Example), "\n") {
		if text, isComment := strings.CutPrefix(strings.TrimSpace(line), "# "); isComment {
			h.Muted("  # " + strings.Join(wrapWords(strings.Fields(text), h.width-4), "\n  # "))
		} else {
			h.code(strings.TrimSpace(line))
		}
	}
	h.Write("\n")
}

// shellWord matches a word of a command line, with its quotation marks.
var shellWord = lazyregexp.New(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)

// code writes a command line. What is too long goes on in the next one, as a shell reads it.
func (h *helpPage) code(line string) {
	h.Block("  " + strings.Join(wrapWords(shellWord.FindAllString(line, -1), h.width-8), " \\\n      "))
}

// commands writes the commands below a command, by group.
func (h *helpPage) commands(cmd *cobra.Command) {
	for _, g := range cmd.Groups() {
		h.Title(g.Title)
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				h.entry(c.Use, h.Styles.Accent.Render, c.Short)
			}
		}
		h.Write("\n")
	}
}

// flags writes the flags of a command, and those that every command has.
func (h *helpPage) flags(cmd *cobra.Command) {
	inherited := cmd.InheritedFlags()
	own, shared := []*pflag.Flag(nil), []*pflag.Flag(nil)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden || f.Deprecated != "":
		case inherited.Lookup(f.Name) != nil || f.Name == "help" || cmd.PersistentFlags().Lookup(f.Name) != nil:
			shared = append(shared, f)
		default:
			own = append(own, f)
		}
	})
	h.flagList("Flags", own)
	h.flagList("Flags of every command", shared)
}

func (h *helpPage) flagList(title string, flags []*pflag.Flag) {
	if len(flags) == 0 {
		return
	}
	h.Title(title)
	for _, f := range flags {
		h.entry(flagLabel(f), h.Styles.Accent.Render, flagAbout(f))
	}
	h.Write("\n")
}

// flagLabel returns a flag as it is typed, with the kind of its value.
func flagLabel(f *pflag.Flag) string {
	label := "--" + f.Name
	if f.Shorthand != "" {
		label = "-" + f.Shorthand + ", " + label
	}
	switch noun := f.Value.Type(); {
	case noun == "bool":
	case len(noun) > widestHelpEntry && strings.Contains(noun, "|"):
		label += " WORD" // What it does names them all.
	default:
		label += " " + noun
	}
	return label
}

// flagAbout returns what a flag does, with its default where it has one.
func flagAbout(f *pflag.Flag) string {
	if slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) || strings.Contains(f.Usage, "default") {
		return f.Usage
	}
	return f.Usage + " (default " + f.DefValue + ")"
}

// entry writes a name with what it means beside it, or below it where the name is long.
func (h *helpPage) entry(name string, style func(...string) string, about string) {
	indent := strings.Repeat(" ", widestHelpEntry+4)
	lines := strings.Join(wrapWords(strings.Fields(about), h.width-len(indent)), "\n"+indent)
	if n := ansi.StringWidth(name); n <= widestHelpEntry {
		h.Block("  " + style(name) + indent[n+2:] + lines)
	} else {
		h.Block("  " + style(name) + "\n" + indent + lines)
	}
}

func man(a *App) *cobra.Command {
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
