package read

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// searchFlags is what is searched, and how.
type searchFlags struct {
	scope                         cli.ScopeFlags
	limit                         *cli.IntegerFlag
	sort                          *cli.ChoiceFlag
	zone                          cli.ZoneFlag
	regexp, matchCase, wholeWords bool
}

func searchCommand(a *cli.App) *cobra.Command {
	f := &searchFlags{limit: cli.AtLeast(1, "N").Preset(100), sort: cli.OneOf(string(search.Newest), sortNames()...)}
	cmd := a.Command(cli.GroupBrowse, "search QUERY...", "Find a text anywhere in the file", f.run)
	cmd.Long = `Finds texts in messages, summaries, tool calls, large files and focus briefs of all
conversations, one line a hit. Hits are printed as they are found, the newest first.

A QUERY has words, all of which must be there in any form ("deploy" finds "deployed"):

  "two words"   as they stand
  word*         the beginning of a word
  -word         without this word
  a OR b        one of both
  /regexp/      a regular expression, in which a capital letter makes case matter

and filters, in which a comma means "or" and a minus before the filter means "not":

  in:2,5        conversations, also as in:"title or a part of the key"
  agent:main    conversations of an agent
  session:KEY   conversations of a session
  role:user     user, assistant, tool or system
  kind:part     message, summary, leaf, condensed, part, file or focus
  tool:bash     calls and results of a tool
  has:file      file, error, marker or parts
  file:NAME     what names a file
  depth:0..2    summaries of these depths
  after:7d      also before: and on:, with 2026-01-05, 2026-01, 7d, today or yesterday
  is:context    what stands in a context
  under:sum_ID  what a summary was made from
  id:sum_ID     summaries and messages by id, such as id:sum_ID,msg:4711

Tool calls, their results and reasoning are searched with kind:part or tool:, and for two
seconds where no message has the text. Before a QUERY that begins with a minus write --. Put a
command, in which a minus means something else, in quotation marks: '"rg -n foo"'.

Where nothing is found it prints other queries that find something. grep searches as the
agent tool does. Writes nothing.`
	cmd.Example = "  lcm-tui search tenant_id role:tool after:2026-01-05\n  lcm-tui search '\"connection pool\" -retry' --sort best\n  lcm-tui search '/OPS-\\d+/ in:2' --json"
	fs := cmd.Flags()
	f.scope.Bind(a, cmd)
	fs.Var(f.limit, "limit", "the greatest number of hits")
	fs.Var(f.sort, "sort", "the order of hits: newest, best, oldest or conversation")
	fs.Var(&f.zone, "tz", "the time zone of dates in the query and of times in the output; UTC without it")
	fs.BoolVar(&f.regexp, "regexp", false, "what is no filter is one regular expression")
	fs.BoolVar(&f.matchCase, "match-case", false, "upper and lower case differ")
	fs.BoolVar(&f.wholeWords, "whole-words", false, "other forms of a word don't match")
	return cmd
}

// unaskedTime is how long tool calls are searched for a text that no message has, and how long each other query is tried where nothing has it.
const unaskedTime = 2 * time.Second

func sortNames() (names []string) {
	for _, s := range search.Sorts {
		names = append(names, string(s))
	}
	return names
}

func (f *searchFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if f.zone.At == nil {
		f.zone.At = time.UTC
	}
	if c.Copies != nil {
		query, err := f.parse(c, c.Now())
		if err != nil {
			return nil, err
		}
		return f.searchCopies(ctx, c, query)
	}
	o := search.Options{Sort: search.Sort(f.sort.Value), Ordered: true, UnaskedTime: unaskedTime}
	db, err := c.Open(ctx)
	if err == nil && f.scope.IsSet() {
		var scope interface {
			All() bool
			IDs() []int64
		}
		if _, scope, err = f.scope.Resolve(ctx, c); err == nil && !scope.All() {
			o.Conversations = append([]int64{}, scope.IDs()...)
		}
	}
	if err != nil {
		return nil, err
	}
	o.FilesFolder = c.Locations.FilesDir
	query, err := f.parse(c, db.Now())
	if err != nil {
		return nil, err
	}
	list := &hitList{zone: f.zone.At, limit: int(f.limit.Value), results: search.NewResults(o.Sort), Hits: []search.Hit{}, Notes: []string{}, Suggestions: []offer{}, advice: query.Advice()}
	if list.PromptsOnly, err = promptsOnly(ctx, db); err != nil {
		return nil, err
	}
	if !c.Opts.JSON {
		list.print = c.NewPrinter()
	}
	if err := list.find(ctx, c, db, query, o); err != nil || c.Opts.JSON {
		return list, err
	}
	list.Print(list.print)
	return nil, list.print.Flush()
}

// parse reads the query, which has to ask for something.
func (f *searchFlags) parse(c *cli.Invocation, now time.Time) (search.Query, error) {
	query := search.Parse(strings.Join(c.Args, " "), search.ParseOptions{
		Regexp: f.regexp, MatchCase: f.matchCase, WholeWord: f.wholeWords, Location: f.zone.At, Now: now,
	})
	if query.IsEmpty() {
		reason := strings.Join(query.Notes, "; ")
		if reason == "" {
			reason = "see lcm-tui search --help"
		}
		return query, cli.UsageErrorf("search: the query %.100q asks for nothing: %.500s", query.Text, reason)
	}
	return query, nil
}

// promptsOnly returns the conversations that hold only what a user typed.
func promptsOnly(ctx context.Context, db *data.DB) (ids []int64, err error) {
	all, err := lcm.Conversations(ctx, db)
	for _, conv := range all {
		if conv.OnlyPrompts() {
			ids = append(ids, conv.ID)
		}
	}
	return ids, err
}

// hitList is the result of search. As text its hits are printed while they are found.
type hitList struct {
	Total       int          `json:"total"`
	Capped      bool         `json:"capped"` // There are more than Total.
	Hits        []search.Hit `json:"hits"`
	Notes       []string     `json:"notes,omitempty"`
	Suggestions []offer      `json:"suggestions,omitempty"`
	// PromptsOnly are the conversations that hold only what a user typed, also those without hits.
	PromptsOnly []int64 `json:"prompts_only,omitempty"`
	cli.WarningList

	zone    *time.Location
	limit   int
	results *search.Results
	print   *cli.Printer // For text, as hits come; nil for JSON.
	waiting *search.Hit  // A hit that others may still be folded into.
	printed int
	advice  string // What to try where nothing is found.

	source      string // The machine whose copy is searched; empty for a database of this one.
	sourceWidth int    // Of the longest name of a machine.
}

// offer is another query that finds something.
type offer struct {
	Reason string `json:"reason"`
	Query  string `json:"query"`
	Total  int    `json:"total"`
	Capped bool   `json:"capped"`
}

// find runs the search, until it ends or has enough hits.
func (l *hitList) find(ctx context.Context, c *cli.Invocation, db *data.DB, q search.Query, o search.Options) error {
	enough, stop := context.WithCancel(ctx)
	defer stop()
	progress := c.Progress()
	isStreamed := o.Sort == search.Newest || o.Sort == search.Oldest
	scans := false
	err := search.Run(enough, db, q, o, func(e search.Event) {
		l.results.Add(e)
		switch e := e.(type) {
		case search.Found:
			if isStreamed {
				c.Wipe()
				for _, h := range e.Hits {
					l.show(&h)
				}
				l.flush()
			}
		case search.Progress:
			scans = true
			progress(int(e.Done*1000), 1000, "search")
		case search.Noted:
			l.Notes = append(l.Notes, e.Text)
			if l.print != nil {
				c.Wipe()
				fmt.Fprintln(c.Sys.Err, "note: "+ui.Line(e.Text))
			}
		case search.Suggested:
			l.Suggestions = append(l.Suggestions, offer{e.Reason, e.Query, e.Count, e.More})
		}
		total, more := l.results.Count()
		if isStreamed && l.printed >= l.limit && (scans || !more || total >= search.MaxHits) {
			stop() // The rest is neither printed nor counted.
		}
	})
	c.Wipe()
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		err = nil
	}
	l.Total, l.Capped = l.results.Count()
	if !isStreamed {
		for _, h := range l.results.Rows() {
			l.show(h)
		}
	}
	l.showWaiting()
	return err
}

// show adds a hit to the output. Neighbours with the same text are one.
func (l *hitList) show(h *search.Hit) {
	if l.waiting == nil || !l.waiting.Fold(h) {
		l.showWaiting()
		next := *h
		l.waiting = &next
	}
}

// flush writes what was printed so far.
func (l *hitList) flush() {
	if l.print != nil {
		_ = l.print.Flush() // The printer keeps the error.
	}
}

func (l *hitList) showWaiting() {
	h := l.waiting
	if l.waiting = nil; h == nil || l.printed >= l.limit {
		return
	}
	l.printed++
	if l.print == nil {
		l.Hits = append(l.Hits, *h)
		return
	}
	l.print.Line(l.line(h))
}

// line returns a hit as text: when, where, what it is, and the text around the match.
func (l *hitList) line(h *search.Hit) string {
	at := ui.LineN(h.At.Raw, 16)
	if h.At.Valid() {
		at = h.At.In(l.zone).Format("2006-01-02 15:04")
	} else if at == "" {
		at = "–"
	}
	s := l.print.Styles
	place := fmt.Sprintf("conv:%d %s", h.Conversation, ui.Line(placeOf(h)))
	if slices.Contains(l.PromptsOnly, h.Conversation) {
		place += " (prompts only)"
	}
	if h.Copies > 1 {
		place += fmt.Sprintf(" ×%d", h.Copies)
	}
	at = s.Muted.Render(ui.Pad(at, 16))
	if l.source != "" {
		at += "  " + s.Title.Render(ui.Pad(ui.Line(l.source), l.sourceWidth))
	}
	return at + "  " + s.Accent.Render(place) + "  " + l.marked(h)
}

// placeOf returns the id of a hit and what has it.
func placeOf(h *search.Hit) string {
	switch h.Kind {
	case search.MessageKind:
		return h.ID() + " " + h.Role
	case search.PartKind:
		return fmt.Sprintf("msg:%d part %d %s %s", h.Message, h.Part.Ordinal, h.Part.Tool, h.Part.Field)
	case search.SummaryKind:
		return fmt.Sprintf("%s depth %d", h.Summary, h.Depth)
	case search.FileKind:
		return h.File + " " + h.FileName
	}
	return string(h.Kind) + " " + h.ID()
}

// marked returns the snippet of a hit with its matches marked, where the output shows styles.
func (l *hitList) marked(h *search.Hit) string {
	var b strings.Builder
	from := 0
	for _, s := range h.Spans {
		b.WriteString(ui.Sanitize(h.Snippet[from:s.From]))
		b.WriteString(cli.Styled(l.print.Styles.Match, ui.Sanitize(h.Snippet[s.From:s.To])))
		from = s.To
	}
	return b.String() + ui.Sanitize(h.Snippet[from:])
}

// text prints what stands below the hits.
func (l *hitList) Print(p *cli.Printer) {
	switch {
	case l.printed == 0:
		p.None("hits", "")
		if len(l.Suggestions) == 0 {
			p.Muted(l.advice)
		}
	case l.Capped:
		p.Muted(plural.Count(l.printed, "line", "lines") + " of more than " + plural.Count(l.Total, "hit", "hits"))
	case l.printed < l.Total:
		p.Muted(fmt.Sprintf("%s of %s", plural.Count(l.printed, "line", "lines"), plural.Count(l.Total, "hit", "hits")))
	}
	printOffers(p, l.Suggestions)
}

// printOffers prints other queries that find something.
func printOffers(p *cli.Printer, offers []offer) {
	for _, s := range offers {
		more := ""
		if s.Capped {
			more = "+"
		}
		p.Line(fmt.Sprintf("%s: %s  (%s%s)", ui.Line(s.Reason), ui.Line(s.Query), ui.Num(int64(s.Total)), more))
	}
}
