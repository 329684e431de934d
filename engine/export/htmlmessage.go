package export

import (
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

func (f *htmlFormat) message(m message) error {
	part, title := "messages", "Messages"
	if f.content == Context {
		part, title = "context", "What the model is shown"
	}
	if err := f.start(part, title); err != nil {
		return err
	}
	if err := f.startDay(m.CreatedAt); err != nil {
		return err
	}
	id := strconv.FormatInt(m.ID, 10)
	if err := f.write(`<article class="turn `, roleClass(m.role), `" id="m`, id, `"><div class="margin"><span class="role">`, escapeHTML(roleName(m.role)),
		`</span><a class="seq" id="seq-`, strconv.FormatInt(m.Seq, 10), `" href="#m`, id, `">#`, grouped(m.Seq), "</a>", timeTag(m.CreatedAt),
		f.coveredBy(m), `</div><div class="said">`); err != nil {
		return err
	}
	if m.forgotten {
		return f.write(`<p class="stub">`, escapeHTML(m.Content.Text), "</p></div></article>\n")
	}
	for _, b := range m.blocks() {
		if err := f.block(b); err != nil {
			return err
		}
	}
	return f.write(f.fileLinks(m), "</div></article>\n")
}

// startDay writes the day where a new one begins.
func (f *htmlFormat) startDay(t data.Time) error {
	if !t.Valid() {
		return nil
	}
	day := t.UTC().Format("Monday, 2 January 2006")
	if day == f.day {
		return nil
	}
	f.day = day
	return f.write(`<h3 class="day">`, day, "</h3>\n")
}

// roleClass returns the class of a role's turns.
func roleClass(role string) string {
	switch role {
	case "user", "assistant", "system":
		return role
	case assemble.RoleToolResult:
		return "tool"
	}
	return "other"
}

// coveredBy links a message to the summaries that cover it, or says that the model is shown it.
func (f *htmlFormat) coveredBy(m message) string {
	if m.InContext {
		return `<span class="shown" title="in the context">●</span>`
	}
	if !f.anchors {
		return ""
	}
	var out strings.Builder
	for _, id := range m.Summaries {
		if _, ok := f.now.graph.Node(id); ok {
			out.WriteString(`<a class="cover" href="#` + summaryAnchor(id) + `" title="covered by ` + escapeHTML(id) + `">` + escapeHTML(short(id)) + "</a>")
		}
	}
	return out.String()
}

func (f *htmlFormat) block(b block) error {
	switch b.kind {
	case textBlock:
		return f.rich(b.text)
	case thinkingBlock:
		return f.fold("think", "thinking", firstLine(b.text), b.text)
	case callBlock:
		return f.fold("call", b.name, oneLine(string(b.arguments())), pretty(b.arguments()))
	case resultBlock:
		class := "result"
		if b.failed {
			class += " failed"
		}
		return f.fold(class, sizeOf(b), firstLine(b.text), b.text)
	case imageBlock:
		return f.write(`<p class="stub">`, escapeHTML(b.imageText()), "</p>")
	}
	return f.fold("call", b.raw.Field("type").Text(), oneLine(string(b.raw)), pretty(b.raw))
}

// sizeOf says how much a tool returned.
func sizeOf(b block) string {
	out := b.name
	if out == "" {
		out = "result"
	}
	if n := strings.Count(strings.TrimRight(b.text, "\n"), "\n") + 1; n > 1 {
		out += " · " + grouped(int64(n)) + " lines"
	}
	if b.failed {
		out += " · failed"
	}
	return out
}

// previewBytes is how much of a folded text is seen.
const previewBytes = 160

// firstLine returns the first line of a text with anything in it, shortened.
func firstLine(s string) string {
	s = strings.TrimLeft(data.StartOfText(s, 4*previewBytes), " \t\r\n")
	line, _, _ := strings.Cut(s, "\n")
	return data.StartOfText(line, previewBytes)
}

// oneLine returns the beginning of a text on one line.
func oneLine(s string) string {
	return strings.Join(strings.Fields(data.StartOfText(s, previewBytes)), " ")
}

// fold writes a text that opens when its line is clicked.
func (f *htmlFormat) fold(class, title, preview, text string) error {
	if text == "" {
		return f.write(`<p class="fold `, class, `"><span class="name">`, escapeHTML(title), `</span> <span class="dim">nothing</span></p>`)
	}
	return f.write(`<details class="fold `, class, `"><summary><span class="name">`, escapeHTML(title), `</span> <span class="peek">`, escapeHTML(preview),
		"</span></summary><pre>", escapeHTML(text), "</pre></details>")
}

// fileLinks returns links to the copies of the files that a message names.
func (f *htmlFormat) fileLinks(m message) string {
	if f.o.Files != FilesCopy {
		return ""
	}
	var links []string
	for _, id := range lcm.MentionedFiles(m.Content.Text, string(m.original)) {
		if file, ok := f.now.files[id]; ok {
			links = append(links, `<a href="`+escapeHTML(f.o.Link+"/"+fileName(file))+`">`+escapeHTML(orUnknown(f.scrub(file.Name)))+"</a>")
		}
	}
	if len(links) == 0 {
		return ""
	}
	return `<p class="origin">files ` + strings.Join(links, " ") + "</p>"
}
