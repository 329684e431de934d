package read

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/export"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// exportFlags is the flags of export.
type exportFlags struct {
	format, what, files                      *cli.ChoiceFlag
	from, until                              boundFlag
	to                                       cli.TextFlag
	all, redact, pseudonyms, force, everyRow bool
}

func exportCommand(a *cli.App) *cobra.Command {
	x := &exportFlags{
		format: cli.OneOf("", wordsOf(export.Formats)...), what: cli.OneOf("", wordsOf(export.Contents)...),
		files: cli.OneOf(string(export.FilesNone), wordsOf(export.FileModes)...), to: cli.TextFlag{Noun: "FILE"},
	}
	x.until.end = true
	cmd := a.Command(cli.GroupCare, "export [CONV]", "Write a conversation as a file that others read", x.run)
	cmd.Long = `Writes a conversation, or with --all every one, in one of these formats:

  openclaw   a session file of OpenClaw; lcm-tui backfill imports it again, the same
  claude     a session file of Claude Code
  openai     a JSON array of chat messages, every tool call with its result
  markdown   turns with time and role, what tools did folded, and the summaries
  html       one page without scripts that loads nothing, with a picture of what is summarised
  dot        the graph of the summaries for Graphviz
  mermaid    the graph of the summaries for Mermaid
  jsonl      every row as JSON, the form lcm-tui/1

Without --format the end of FILE says it: .html, .md, .dot, .mmd, .json. Without --to it goes to
standard output. With --all FILE is a folder with a file for each conversation, but for jsonl.
A new file is private to you. --force replaces a file, but never one of a database, of its
backups and its trash, or of a host. The database is only read.`
	cmd.Example = `# A page to read and to print:
lcm-tui export 12 --to page.html
# To give away, without secrets, session keys and phone numbers:
lcm-tui export 12 --to page.md --redact --pseudonyms
# A conversation moves to another file:
lcm-tui export 12 --format openclaw --to session.jsonl
lcm-tui --db other.db backfill session.jsonl --apply
# What the model sees now, for another model:
lcm-tui export agent:main:main --format openai --what context > messages.json
# The graph of the summaries:
lcm-tui export 12 --format dot | dot -Tsvg > summaries.svg`
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&x.all, "all", false, "every conversation")
	fs.Var(x.format, "format", "openclaw, claude, openai, markdown, html, dot, mermaid or jsonl")
	fs.Var(x.what, "what", "messages, context (what the model is shown), summaries or all; what the format holds by default")
	fs.Var(&x.from, "from", "from this seq or time on, such as 120 or 2026-01-05")
	fs.Var(&x.until, "until", "up to this seq or time; a date is its whole day")
	fs.BoolVar(&x.redact, "redact", false, "replace passwords, keys and tokens by placeholders")
	fs.BoolVar(&x.pseudonyms, "pseudonyms", false, "with --redact: also session keys, phone numbers, senders and home folders")
	fs.Var(x.files, "files", "large files: none leaves their references, inline puts their texts in, copy makes a folder beside FILE")
	fs.Var(&x.to, "to", "the new file, or - for standard output (the default)")
	fs.BoolVar(&x.force, "force", false, "replace what stands at FILE")
	fs.BoolVar(&x.everyRow, "all-rows", false, "also heartbeats and the notes that old hosts kept of compactions")
	return cmd
}

// wordsOf returns the words of a list of named texts.
func wordsOf[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// boundFlag is a flag that takes a seq or a time.
type boundFlag struct {
	export.Bound
	given string
	end   bool // A date is the end of its day.
}

// String implements pflag.Value.
func (b *boundFlag) String() string { return b.given }

// Type implements pflag.Value; help shows it.
func (*boundFlag) Type() string { return "SEQ|TIME" }

// Set implements pflag.Value.
func (b *boundFlag) Set(s string) error {
	b.given, b.Bound = s, export.Bound{}
	if seq, err := strconv.ParseInt(s, 10, 64); err == nil {
		b.Seq = &seq
		return nil
	}
	at, err := cli.TimeOf(s)
	if err != nil {
		return fmt.Errorf("expected the seq of a message, or %w", err)
	}
	if _, e := time.Parse(time.DateOnly, s); e == nil && b.end {
		at = at.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	b.At = at
	return nil
}

// isBefore reports whether an end of a range lies before another one of the same kind.
func (b *boundFlag) isBefore(other *boundFlag) bool {
	if b.Seq != nil && other.Seq != nil {
		return *b.Seq < *other.Seq
	}
	return !b.At.IsZero() && b.At.Before(other.At)
}

// stdout stands for standard output.
const stdout = "-"

func (x *exportFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if err := x.check(c); err != nil {
		return nil, err
	}
	o := export.Options{
		Format: export.Format(x.format.Value), Content: export.Content(x.what.Value), From: x.from.Bound, Until: x.until.Bound,
		AllRows: x.everyRow, Files: export.FileMode(x.files.Value), Version: c.Sys.VersionText(),
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	convs, err := x.conversations(ctx, c)
	if err != nil {
		return nil, err
	}
	defer c.Sys.LimitMemory(cli.ImportMemory)()
	o.FilesFolder = c.Locations.FilesDir
	var redactor *export.Redactor
	if x.redact {
		if redactor, o.Scrubber, err = newScrubber(ctx, c.DB, x.pseudonyms); err != nil {
			return nil, err
		}
	}
	if x.to.Value == stdout {
		_, err := export.Write(ctx, c.DB, convs, rawOut(c, o.Format), o, c.Progress())
		return nil, err
	}
	path, err := c.NewFile(c.DB, x.to.Value)
	if err != nil {
		return nil, err
	}
	e := &exportResult{Format: o.Format, To: path}
	to := export.Target{Path: path, Force: x.force, Policy: c.Destinations(c.DB)}
	if x.all && !o.Format.OneFile() {
		e.Result, e.Bytes, err = export.ToFolder(ctx, c.DB, convs, to, o, c.Progress())
	} else {
		e.Result, e.Bytes, err = export.ToFile(ctx, c.DB, convs, to, o, c.Progress())
	}
	if err != nil {
		return nil, err
	}
	if redactor != nil {
		e.Redacted = redactor.Replaced
	}
	return e, nil
}

// newScrubber replaces secrets and, if that is wanted, whom and where an export is about.
func newScrubber(ctx context.Context, db *data.DB, pseudonyms bool) (*export.Redactor, export.Scrubber, error) {
	r := export.NewRedactor()
	if !pseudonyms {
		return r, r, nil
	}
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	var keys []string
	for _, conv := range all {
		keys = append(keys, conv.SessionKey)
	}
	return r, export.Scrubbers{r, export.NewPseudonyms(keys)}, nil
}

// rawOut returns standard output for an export. A terminal obeys control characters, which JSON holds.
func rawOut(c *cli.Invocation, f export.Format) io.Writer {
	switch f {
	case export.Markdown, export.HTML, export.Dot, export.Mermaid: // They show them.
		return c.Sys.Out
	}
	if cli.IsTerminal(c.Sys.Out) {
		return cli.ControlEscaper{To: c.Sys.Out}
	}
	return c.Sys.Out
}

// check refuses what can't be exported as asked for, and completes what wasn't said.
func (x *exportFlags) check(c *cli.Invocation) error {
	if x.to.Value == "" {
		x.to.Value = stdout
	}
	if x.format.Value == "" {
		ends := map[string]export.Format{".html": export.HTML, ".htm": export.HTML, ".md": export.Markdown, ".dot": export.Dot, ".gv": export.Dot, ".mmd": export.Mermaid, ".json": export.OpenAI}
		x.format.Value = string(ends[filepath.Ext(x.to.Value)])
	}
	f := export.Format(x.format.Value)
	switch {
	case f == "":
		return cli.UsageErrorf("export: give --format %s", x.format.Type())
	case len(c.Args) == 0 && !x.all:
		return cli.UsageErrorf("export: expected %s, or --all", cli.ArgumentKinds["CONV"])
	case x.until.isBefore(&x.from):
		return cli.UsageErrorf("--until %s lies before --from %s", x.until.given, x.from.given)
	case x.to.Value != stdout:
	case x.force:
		return cli.UsageErrorf("--force needs --to FILE: nothing else can be replaced")
	case x.files.Value == string(export.FilesCopy):
		return cli.UsageErrorf("--files copy needs --to FILE: the folder stands beside it")
	case c.Opts.JSON:
		return cli.UsageErrorf("--json needs --to FILE: the export itself goes to standard output")
	case x.all && !f.OneFile():
		return cli.UsageErrorf("--all needs --to FOLDER: each conversation is a file in the format %s; jsonl holds all in one", f)
	}
	return nil
}

// conversations returns those to export, the oldest first.
func (x *exportFlags) conversations(ctx context.Context, c *cli.Invocation) ([]lcm.Conversation, error) {
	if !x.all {
		_, conv, err := c.OpenConversation(ctx)
		return []lcm.Conversation{conv}, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	all, err := lcm.Conversations(ctx, db)
	slices.Reverse(all)
	return all, err
}

// exportResult is what export wrote to a file.
type exportResult struct {
	Format export.Format `json:"format"`
	To     string        `json:"to"`
	Bytes  int64         `json:"bytes"`
	export.Result
	Redacted map[string]int64 `json:"redacted,omitempty"` // By rule.
	cli.WarningList
}

func (e *exportResult) Print(p *cli.Printer) {
	p.Line("export  " + ui.Line(e.To))
	p.Linef("format  %s, %s", e.Format, e.Format.About())
	p.Linef("size    %s", ui.Size(e.Bytes))
	p.Linef("holds   %s, %s of %s", plural.Count(e.Messages, "message", "messages"), plural.Count(e.Summaries, "summary", "summaries"),
		plural.Count(e.Conversations, "conversation", "conversations"))
	for _, n := range e.notes() {
		p.Block(n)
	}
}

// notes say what isn't in the file as it is in the database.
func (e *exportResult) notes() (out []string) {
	add := func(n int64, one, many, rest string) {
		if n > 0 {
			out = append(out, plural.Count(n, one, many)+" "+rest)
		}
	}
	add(e.Files, "large file", "large files", "included")
	add(e.LeftOut, "row", "rows", "left out that nobody said: heartbeats and notes of compactions; --all-rows exports them")
	add(e.Forgotten, "message", "messages", "of which only the stub of a forgotten text is left")
	add(e.MissingFiles, "large file", "large files", "left out: not found, not readable, or too large")
	add(e.Unpaired, "tool result", "tool results", "left out without a call, which models refuse")
	for _, rule := range slices.Sorted(maps.Keys(e.Redacted)) {
		add(e.Redacted[rule], "place", "places", "redacted: "+rule)
	}
	return out
}
