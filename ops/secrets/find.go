package secrets

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/hint"
)

// Request says what is looked for, and where.
type Request struct {
	Scanner *redact.Scanner
	// Conversations are those that are scanned; none is the whole file.
	Conversations []int64
	// Classes and Rules are those that are reported; none are all.
	Classes []redact.Class
	Rules   []string
	// Since is the oldest time of what is reported. A text without a time is always reported.
	Since time.Time
	// Ignored are the places of findings that are no secrets.
	Ignored []string
	// FilesDir is the folder of large files that are scanned too; empty is none.
	FilesDir string
	// Transcripts are the session files that are scanned too.
	Transcripts []string
	// Others are more databases: backups and trash. They are scanned and never changed.
	Others []string
}

// Finding is a secret in one place. It has no value.
type Finding struct {
	ID           string       `json:"id"` // The place, by which it can be ignored.
	Rule         string       `json:"rule"`
	Class        redact.Class `json:"class"`
	Number       int          `json:"n"` // The same secret has the same number in all places.
	Table        string       `json:"table"`
	Column       string       `json:"column"`
	Key          string       `json:"key"`
	Conversation *int64       `json:"conversation_id"`
	Message      int64        `json:"message_id,omitempty"`
	Seq          int64        `json:"seq,omitempty"`
	At           data.Time    `json:"at"`
	Masked       string       `json:"masked"`
	Length       int          `json:"length"`
	Count        int          `json:"count"` // How often it stands there.
	// File is the file that it is in, where that isn't the database.
	File string `json:"file,omitempty"`
	// Kept is why it isn't replaced in this place; empty where it is.
	Kept string `json:"kept,omitempty"`
}

// place returns the cell or the file that it stands in.
func (f Finding) place() string {
	if f.File != "" {
		return f.File
	}
	return f.Table + "." + f.Column + " " + f.Key
}

// Counts are how many different secrets there are of each class.
type Counts struct {
	Sure   int `json:"sure"`
	Likely int `json:"likely"`
	Maybe  int `json:"maybe"`
}

// Of is how many there are of a class.
func (c *Counts) of(class redact.Class) *int {
	switch class {
	case redact.Sure:
		return &c.Sure
	case redact.Likely:
		return &c.Likely
	}
	return &c.Maybe
}

// AtLeast returns how many there are of a class and of more certain ones.
func (c Counts) AtLeast(least redact.Class) (n int) {
	for _, class := range redact.Classes() {
		if class.AtLeast(least) {
			n += *c.of(class)
		}
	}
	return n
}

// Report is what was found. Its values are not exported.
type Report struct {
	Findings []Finding `json:"findings"` // In the order of the file.
	Counts   Counts    `json:"counts"`
	// UncleanRecords are the records of replaced secrets since which the file wasn't rewritten: its pages
	// may still hold them.
	UncleanRecords []int64 `json:"unclean_records,omitempty"`

	values map[int]redact.Finding // By number.
}

// Numbers returns the numbers of the secrets of a report, in order.
func (r *Report) Numbers() []int {
	out := make([]int, 0, len(r.values))
	for n := range r.values {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// Secret returns the rule, the class and the masked value of a number.
func (r *Report) Secret(number int) (f redact.Finding, ok bool) {
	f, ok = r.values[number]
	return f, ok
}

// Of returns the findings of a number.
func (r *Report) Of(number int) (out []Finding) {
	for _, f := range r.Findings {
		if f.Number == number {
			out = append(out, f)
		}
	}
	return out
}

// scanner returns the scanner of the request, or the program's own.
func (r Request) scanner() *redact.Scanner {
	if r.Scanner == nil {
		return redact.Default()
	}
	return r.Scanner
}

// Find scans the database and what else was asked for. It only reads.
func Find(ctx context.Context, db *data.DB, r Request, report data.Report) (*Report, error) {
	r.Scanner = r.scanner()
	if report == nil {
		report = func(int, int, string) {}
	}
	places, last, err := scanDatabase(ctx, db, r.Scanner, report)
	if err != nil {
		return nil, err
	}
	if places, err = r.locate(ctx, db, places); err != nil {
		return nil, err
	}
	more, err := r.scanFiles(ctx, db, report)
	if err != nil {
		return nil, err
	}
	out := r.number(append(places, more...), last)
	unclean, err := change.UncleanRecords(ctx, db)
	for _, u := range unclean {
		out.UncleanRecords = append(out.UncleanRecords, u.ID)
	}
	return out, err
}

// place is a text with secrets.
type place struct {
	cell  columntexts.Cell // Without a table for one in a file.
	file  string
	key   string // The place in the file.
	found []redact.Finding
	at    columntexts.Place
	named bool // The text names something, so that it stays.
}

// collector scans texts and keeps those with secrets, by part of the file.
type collector struct {
	scanner *redact.Scanner
	seen    *redact.Seen
	parts   [][]place
	last    []int // By part: the highest number of a placeholder.
}

func newCollector(scanner *redact.Scanner, parts int) *collector {
	return &collector{scanner: scanner, seen: redact.NewSeen(), parts: make([][]place, parts), last: make([]int, parts)}
}

// Visit implements cells.Visitor.
func (c *collector) Visit(part int, cell columntexts.Cell, text string) {
	c.last[part] = max(c.last[part], redact.LastNumber(text))
	if found := c.scanner.ScanNew(text, c.seen); len(found) > 0 {
		c.parts[part] = append(c.parts[part], newPlace(cell, found))
	}
}

// newPlace returns a place with a key of its own.
func newPlace(cell columntexts.Cell, found []redact.Finding) place {
	cell.Key = slices.Clone(cell.Key)
	return place{cell: cell, found: found, named: cell.Table.IsReference(cell.Column)}
}

// scanDatabase returns the texts with secrets in the order of the file, and the highest number of
// the placeholders in it.
func scanDatabase(ctx context.Context, db *data.DB, scanner *redact.Scanner, report data.Report) ([]place, int, error) {
	tables, err := columntexts.Tables(ctx, db)
	if err != nil {
		return nil, 0, err
	}
	parts, err := columntexts.Divide(ctx, db, tables)
	if err != nil {
		return nil, 0, err
	}
	c := newCollector(scanner, parts.Len())
	if err := parts.Visit(ctx, c, "looking for secrets", report); err != nil {
		return nil, 0, err
	}
	return slices.Concat(c.parts...), slices.Max(append(c.last, 0)), nil
}

// locate finds the conversations of the places, and leaves out those of others than were asked for
// and older ones.
func (r Request) locate(ctx context.Context, db *data.DB, all []place) (out []place, err error) {
	for _, p := range all {
		if p.at, err = columntexts.Locate(ctx, db, p.cell); err != nil {
			return nil, err
		}
		if len(r.Conversations) > 0 && !slices.Contains(r.Conversations, p.at.Conversation) {
			continue
		}
		if !r.Since.IsZero() && p.at.At.Valid() && p.at.At.Before(r.Since) {
			continue
		}
		out = append(out, p)
	}
	return out, nil
}

// wants reports whether a finding is one of those that were asked for.
func (r Request) wants(f redact.Finding) bool {
	return (len(r.Classes) == 0 || slices.Contains(r.Classes, f.Class)) && (len(r.Rules) == 0 || slices.Contains(r.Rules, f.Rule))
}

// secretFacts are what holds for a secret in all of its places.
type secretFacts struct {
	ignored bool
	best    redact.Finding // The most certain one.
}

// factsBySecret merges the findings of every place.
func (r Request) factsBySecret(all []place) map[redact.Secret]*secretFacts {
	facts := map[redact.Secret]*secretFacts{}
	for _, p := range all {
		for _, f := range p.found {
			s := facts[f.Secret]
			if s == nil {
				s = &secretFacts{best: f}
				facts[f.Secret] = s
			}
			s.ignored = s.ignored || slices.Contains(r.Ignored, p.id(f))
			if f.Class != s.best.Class && f.Class.AtLeast(s.best.Class) {
				s.best = f
			}
		}
	}
	return facts
}

// number gives the secrets their numbers, by first appearance, and makes the report.
func (r Request) number(all []place, last int) *Report {
	numbers, facts := redact.NewPlaceholders(last), r.factsBySecret(all)
	out := &Report{Findings: []Finding{}, values: map[int]redact.Finding{}}
	for _, p := range all {
		counts := map[redact.Secret]int{}
		for _, f := range p.found {
			s := facts[f.Secret]
			if s.ignored || !r.wants(s.best) {
				continue
			}
			if counts[f.Secret]++; counts[f.Secret] > 1 {
				continue
			}
			n := numbers.Number(f.Secret)
			if _, some := out.values[n]; !some {
				out.values[n] = s.best
				*out.Counts.of(s.best.Class)++
			}
			out.Findings = append(out.Findings, p.finding(f, s.best, n))
		}
		for i := len(out.Findings) - len(counts); i < len(out.Findings); i++ {
			out.Findings[i].Count = counts[out.values[out.Findings[i].Number].Secret]
		}
	}
	return out
}

// id names the place of a finding without its value.
func (p place) id(f redact.Finding) string {
	if p.file != "" {
		return p.file + ":" + p.key + ":" + f.Rule
	}
	return p.cell.Table.Name + "." + p.cell.Column + ":" + p.cell.KeyText() + ":" + f.Rule
}

func (p place) finding(f, best redact.Finding, n int) Finding {
	out := Finding{
		ID: p.id(f), Rule: best.Rule, Class: best.Class, Number: n, Key: p.key, File: p.file, At: data.Time{Null: true},
		Masked: f.Secret.Masked(), Length: f.Secret.Len(),
	}
	if p.file != "" {
		return out
	}
	out.Table, out.Column, out.Key, out.At = p.cell.Table.Name, p.cell.Column, p.cell.KeyText(), p.at.At
	if p.at.Conversation != 0 {
		out.Conversation = &p.at.Conversation
	}
	out.Message, out.Seq = p.at.Message, p.at.Seq
	if p.named {
		out.Kept = "other places refer to it by this text"
	}
	return out
}

// unknown says that nothing was found under a name, and where the names are.
func unknown(name string) error {
	return hint.New(fmt.Sprintf("there is no finding %.60q", name), "lcm-tui secrets lists the findings with their numbers; say a number, or the rule and the number: github-token#3")
}

// Choose returns the numbers of the findings with these names: a number, or a rule and a number
// as in a placeholder, github-token#3.
func (r *Report) Choose(names []string) (numbers []int, err error) {
	for _, name := range names {
		n := 0
		rule, digits, both := strings.Cut(name, "#")
		if !both {
			rule, digits = "", name
		}
		if _, err := fmt.Sscanf(digits, "%d", &n); err != nil || fmt.Sprint(n) != digits {
			return nil, unknown(name)
		}
		f, some := r.values[n]
		if !some || rule != "" && f.Rule != rule {
			return nil, unknown(name)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// at returns the numbers of the findings with these ids.
func (r *Report) at(ids []string) (numbers []int, err error) {
	for _, id := range ids {
		i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.ID == id })
		if i < 0 {
			return nil, &data.StaleError{What: id, Why: "isn't there any more"}
		}
		numbers = append(numbers, r.Findings[i].Number)
	}
	return numbers, nil
}
