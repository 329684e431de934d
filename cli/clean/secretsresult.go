package clean

import (
	"fmt"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/plural"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// secretsResult is the result of secrets.
type secretsResult struct {
	*sweep.Report
	Findings []sweep.Finding `json:"findings"` // The page.
	// Unscanned are copies of the database that weren't looked at.
	Unscanned []string `json:"unscanned,omitempty"`
	cli.NextPage
	cli.WarningList
	path  string
	next  string // How they are replaced.
	scope bool
	// ignored are how many findings the user took off the list.
	ignored int
}

// shownPlaces is how many places of a secret are listed in text; JSON has all.
const shownPlaces = 6

func (s *secretsResult) Print(p *cli.Printer) {
	if len(s.Findings) == 0 {
		p.Line(cli.Styled(p.Styles.Good, "✓") + " no secrets were found in " + ui.Line(s.path))
	}
	for _, n := range s.Numbers() {
		places := s.placesOf(n)
		if len(places) == 0 {
			continue
		}
		first := places[0]
		p.Linef("%s %s  %s  %s  %s", classMark(p, first.Class), cli.Styled(p.Styles.Title, fmt.Sprintf("%s#%d", first.Rule, n)), first.Class,
			ui.Line(first.Masked), cli.Styled(p.Styles.Muted, plural.Count(first.Length, "character", "characters")+", "+plural.Count(len(places), "place", "places")))
		for i, f := range places {
			if i == shownPlaces {
				p.Muted(fmt.Sprintf("      and %d more; --json lists all", len(places)-i))
				break
			}
			p.Line("      " + ui.Line(placeText(f)))
		}
	}
	if len(s.Findings) > 0 {
		p.Write("\n")
		p.Linef("%d sure, %d likely, %d maybe; nothing was changed", s.Counts.Sure, s.Counts.Likely, s.Counts.Maybe)
		p.Muted(s.next + "lcm-tui secrets ignore takes one off the list")
	}
	if s.ignored > 0 {
		p.Muted(plural.Count(s.ignored, "finding is", "findings are") + " ignored, as lcm-tui secrets ignore was told")
	}
	for _, path := range s.Unscanned {
		p.Muted("not looked at: " + ui.Line(path))
	}
	s.More(p)
}

// placesOf returns the findings of a number on the page.
func (s *secretsResult) placesOf(n int) (out []sweep.Finding) {
	for _, f := range s.Findings {
		if f.Number == n {
			out = append(out, f)
		}
	}
	return out
}

// classMark returns the sign of a class, so that color isn't the only information.
func classMark(p *cli.Printer, c redact.Class) string {
	switch c {
	case redact.Sure:
		return cli.Styled(p.Styles.Bad, "!")
	case redact.Likely:
		return cli.Styled(p.Styles.Warn, "~")
	}
	return cli.Styled(p.Styles.Muted, "·")
}

// placeText returns where a finding is, in words.
func placeText(f sweep.Finding) string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File + " at " + f.Key)
	} else {
		b.WriteString(f.Table + "." + f.Column + " " + f.Key)
	}
	if f.Conversation != nil {
		fmt.Fprintf(&b, " · conversation %d", *f.Conversation)
	}
	if f.Seq > 0 {
		fmt.Fprintf(&b, ", message %d", f.Seq)
	}
	if f.At.Valid() {
		b.WriteString(" · " + f.At.Format("2006-01-02"))
	}
	if f.Count > 1 {
		fmt.Fprintf(&b, " · %d times", f.Count)
	}
	if f.Kept != "" {
		b.WriteString(" · stays: " + f.Kept)
	}
	return b.String()
}

// testedSecret is a secret of a file that was tested.
type testedSecret struct {
	Rule   string       `json:"rule"`
	Class  redact.Class `json:"class"`
	Line   int          `json:"line"`
	Column int          `json:"column"`
	Masked string       `json:"masked"`
	Length int          `json:"length"`
}

// secretsTest is the result of secrets test.
type secretsTest struct {
	Findings []testedSecret `json:"findings"`
	cli.WarningList
	name string
}

func (s *secretsTest) Print(p *cli.Printer) {
	for _, f := range s.Findings {
		p.Linef("%s %s:%d:%d  %s  %s  %s, %s", classMark(p, f.Class), ui.Line(s.name), f.Line, f.Column, f.Rule, f.Class, ui.Line(f.Masked), plural.Count(f.Length, "character", "characters"))
	}
	if len(s.Findings) == 0 {
		p.Line(cli.Styled(p.Styles.Good, "✓") + " no secrets were found")
	}
}

// ruleList is the result of secrets rules.
type ruleList struct {
	Rules []listedRule `json:"rules"`
	cli.WarningList
}

type listedRule struct {
	ID    string       `json:"id"`
	Class redact.Class `json:"class"`
	About string       `json:"about"`
}

func newRuleList(s *redact.Scanner) *ruleList {
	out := &ruleList{Rules: []listedRule{}}
	for _, r := range s.Rules() {
		out.Rules = append(out.Rules, listedRule{r.ID, r.Class, r.About})
	}
	return out
}

func (l *ruleList) Print(p *cli.Printer) {
	rows := make([][]string, 0, len(l.Rules))
	for _, r := range l.Rules {
		rows = append(rows, []string{r.ID, string(r.Class), ui.Line(r.About)})
	}
	p.Table([]cli.Column{{Title: "rule"}, {Title: "class"}, {Title: "finds", Grows: true}}, rows)
}
