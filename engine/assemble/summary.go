package assemble

import (
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

func number(n int64) jstext.Value { return jstext.Value(strconv.FormatInt(n, 10)) }

var (
	escapeContent   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeAttribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")
)

// tag is an XML tag being made.
type tag struct {
	b    strings.Builder
	zone *time.Location
}

func newTag(name string, zone *time.Location) *tag {
	t := &tag{zone: zone}
	t.b.WriteString("<" + name)
	return t
}

func (t *tag) text(name, v string) {
	t.b.WriteString(" " + name + `="` + escapeAttribute.Replace(v) + `"`)
}

func (t *tag) number(name string, n int64) { t.text(name, strconv.FormatInt(n, 10)) }

// time writes a time in the zone, without its offset; one that can't be understood
// is left out.
func (t *tag) time(name string, at data.Time) {
	if at.Valid() {
		t.text(name, at.In(t.zone).Format("2006-01-02T15:04:05"))
	}
}

// close ends the tag and puts the content between it and its end, unindented. Bytes that are not UTF-8
// are replaced before they are counted.
func (t *tag) close(name, inner, content string) string {
	return jstext.Decode(t.b.String() + ">\n" + inner + "  <content>\n" + content + "\n  </content>\n</" + name + ">")
}

// SummaryText returns the text by which a model is shown a summary, with times in UTC.
func SummaryText(s *lcm.Summary, sources []string) string { return summaryText(s, sources, time.UTC) }

// summaryText returns the XML by which a model is shown a summary. Since 0.12 it says
// that nothing in there is to be trusted, and nothing in there can end it. The text
// is the stored one, also where a model's reasoning is in it.
func summaryText(s *lcm.Summary, sources []string, zone *time.Location) string {
	t := newTag("summary", zone)
	t.text("id", s.ID)
	t.text("kind", s.Kind)
	t.number("depth", s.Depth)
	t.number("descendant_count", s.Descendants)
	t.text("trust", "untrusted")
	t.time("earliest_at", s.EarliestAt)
	t.time("latest_at", s.LatestAt)
	return t.close("summary", parents(s, sources), escapeContent.Replace(s.Content))
}

// parents names the sources of a condensed summary.
func parents(s *lcm.Summary, sources []string) string {
	if !s.Condensed() || len(sources) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("  <parents>\n")
	for _, id := range sources {
		b.WriteString(`    <summary_ref id="` + escapeAttribute.Replace(id) + "\" />\n")
	}
	b.WriteString("  </parents>\n")
	return b.String()
}

// briefText returns the XML of a focus brief. Its content is not escaped.
func briefText(b lcm.FocusBrief, zone *time.Location) string {
	t := newTag("focus_brief", zone)
	t.text("id", b.ID)
	t.text("prompt", b.Prompt)
	t.number("token_count", b.Tokens)
	t.number("target_tokens", b.Target)
	t.time("created_at", b.CreatedAt)
	t.time("covered_latest_at", b.CoveredAt)
	if b.CoveredSeq > 0 {
		t.number("covered_message_seq", b.CoveredSeq)
	}
	return t.close("focus_brief", "", b.Content)
}

// textMessage returns a message of the user that is only text.
func textMessage(text string) Message { return Message{Role: RoleUser, content: jstext.Quote(text)} }
