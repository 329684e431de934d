package export

import (
	"strconv"
	"strings"

	"lcm-tui/data"
)

// htmlFormat writes one page without scripts, which loads nothing.
type htmlFormat struct {
	plainFormat
	part    string // The part of the page that is open.
	day     string
	depth   int64
	anchors bool // The page has the summaries.
}

func (f *htmlFormat) open(c *conversation) error {
	f.part, f.day, f.depth = "", "", -1
	f.anchors = f.content == All || f.content == Summaries
	title := c.Name()
	if err := f.write("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`, "\n",
		`<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n",
		`<meta name="generator" content="`, escapeHTML(f.o.program()), "\">\n",
		"<title>", escapeHTML(title), "</title>\n<style>", style, "</style>\n</head>\n<body>\n"); err != nil {
		return err
	}
	if err := f.head(c, title); err != nil {
		return err
	}
	if !f.anchors {
		return nil
	}
	return f.coverageMap(c)
}

// head writes what the conversation is.
func (f *htmlFormat) head(c *conversation, title string) error {
	state, class := "active", "chip on"
	if !c.Active {
		state, class = "archived", "chip"
	}
	facts := []string{}
	if c.span.Last > 0 {
		facts = append(facts, "<b>"+seqs(c.span.First, c.span.Last)+"</b>", escapeHTML(clock(c.span.FirstAt))+" – "+escapeHTML(clock(c.span.LastAt))+" UTC")
	}
	if c.graph != nil && len(c.graph.Nodes()) > 0 {
		n := len(c.graph.Nodes())
		noun := " summaries"
		if n == 1 {
			noun = " summary"
		}
		facts = append(facts, "<b>"+grouped(int64(n))+"</b>"+noun)
	}
	facts = append(facts, "conversation "+strconv.FormatInt(c.ID, 10))
	key := ""
	if c.SessionKey != "" && c.SessionKey != title {
		key = `<code class="key">` + escapeHTML(c.SessionKey) + "</code>"
	}
	return f.write("<header class=\"page\">\n<h1>", escapeHTML(title), ` <span class="`, class, `">`, state, "</span></h1>\n", key,
		"<p class=\"facts\">", strings.Join(facts, " · "), "</p>\n</header>\n")
}

// start begins a part of the page, unless it is the present one.
func (f *htmlFormat) start(part, title string) error {
	if f.part == part {
		return nil
	}
	end := ""
	if f.part != "" {
		end = "</section>\n"
	}
	f.part = part
	return f.write(end, `<section id="`, part, `">`, "\n<h2>", title, "</h2>\n")
}

func (f *htmlFormat) close() error {
	end := ""
	if f.part != "" {
		end = "</section>\n"
	}
	return f.write(end, "<footer>made by ", escapeHTML(f.o.program()), "</footer>\n</body>\n</html>\n")
}

// summaryAnchor returns the id of a summary's element.
func summaryAnchor(id string) string { return "summary-" + escapeID(id) }

// escapeID returns an id without the characters that an anchor can't have.
func escapeID(id string) string {
	var b strings.Builder
	for _, r := range visible(id) {
		if r == ' ' || r == '\t' || r == '\n' || r == '%' || r == '\u00a0' {
			b.WriteString("-x" + strconv.FormatInt(int64(r), 16))
			continue
		}
		b.WriteRune(r)
	}
	return escapeHTML(b.String())
}

func (f *htmlFormat) summary(s *summary) error {
	if f.content == Context {
		if err := f.start("context", "What the model is shown"); err != nil {
			return err
		}
	} else if err := f.start("summaries", "Summaries"); err != nil {
		return err
	}
	if f.content != Context && s.Depth != f.depth {
		f.depth = s.Depth
		if err := f.write(`<h3 class="depth">depth `, strconv.FormatInt(s.Depth, 10), "</h3>\n"); err != nil {
			return err
		}
	}
	class := "summary"
	if s.ordinal >= 0 {
		class += " shown"
	}
	open := ""
	if s.ordinal >= 0 {
		open = " open"
	}
	if err := f.write(`<details class="`, class, `" id="`, summaryAnchor(s.ID), `"`, open, "><summary><code>", escapeHTML(s.ID), "</code> <span class=\"dim\">",
		escapeHTML(s.about()), `</span> <span class="first">`, escapeHTML(firstWords(s.Content)), "</span></summary>\n<div class=\"text\">"); err != nil {
		return err
	}
	if err := f.rich(s.Content); err != nil {
		return err
	}
	return f.write("</div>\n", f.origin(s), "</details>\n")
}

// origin links a summary to what it was made from.
func (f *htmlFormat) origin(s *summary) string {
	var links []string
	for _, id := range s.sources {
		if _, ok := f.now.graph.Node(id); ok && f.anchors {
			links = append(links, `<a href="#`+summaryAnchor(id)+`">`+escapeHTML(short(id))+"</a>")
		} else {
			links = append(links, "<del>"+escapeHTML(short(id))+"</del>")
		}
	}
	if len(links) == 0 && s.extent.Last > 0 && f.content == All {
		links = append(links, `<a href="#seq-`+strconv.FormatInt(s.extent.First, 10)+`">messages `+seqs(s.extent.First, s.extent.Last)+"</a>")
	}
	if len(links) == 0 {
		return ""
	}
	return `<p class="origin">made from ` + strings.Join(links, " ") + "</p>\n"
}

// short returns an id as it stands in a line.
func short(id string) string {
	if len(id) <= 16 || !strings.HasPrefix(id, "sum_") {
		return id
	}
	return id[:12] + "…"
}

// escapeHTML returns a text in which nothing is markup, for content and for attributes.
func escapeHTML(s string) string { return htmlEscapes.Replace(visible(s)) }

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// timeTag returns a time as an element.
func timeTag(t data.Time) string {
	if !t.Valid() {
		return `<span class="dim">` + escapeHTML(t.Raw) + "</span>"
	}
	return `<time datetime="` + isoTime(t) + `">` + t.UTC().Format("15:04:05") + "</time>"
}
