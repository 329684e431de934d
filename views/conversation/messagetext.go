package conversation

import (
	"bytes"
	"encoding/json"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	textMost     = 512 << 10 // Bytes of a text that are shown.
	markdownMost = 32 << 10  // Bytes that are laid out as Markdown.
	foldedLines  = 12        // Of the input and the output of a tool.
	thoughtLines = 3         // Of reasoning.
)

// describe returns a message with its parts, whole as soon as that was read.
func (v *Messages) describe(m *lcm.Message, whole *lcm.Message, width int) string {
	w := messageWriter{env: v.Env(), m: completed(m, whole), width: width, unfolded: v.unfolded, needle: v.needle, clipped: whole == nil && shortened(m)}
	if v.needle == "" {
		w.marks = v.Hub.Marks
	}
	w.write()
	if w.marks == nil {
		return underlineMatches(w.b.String(), v.needle)
	}
	text := views.UnderlineMarks(w.b.String(), w.marks)
	if !w.clipped {
		v.ScrollToMark(messageID(m), text)
	}
	return text
}

// underlineMatches underlines a text line by line, as far as there is something to
// underline.
func underlineMatches(text, needle string) string {
	if needle == "" {
		return text
	}
	low := strings.ToLower(needle)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.Contains(strings.ToLower(ansi.Strip(l)), low) {
			lines[i] = ui.UnderlineMatches(l, needle)
		}
	}
	return strings.Join(lines, "\n")
}

// messageWriter writes a message and its parts out in width cells.
type messageWriter struct {
	env      *views.Env
	m        *lcm.Message
	width    int
	unfolded bool
	needle   string
	marks    func(string) []search.Span // Finds what a search of the whole file found; may be nil.
	clipped  bool                       // The rest is being read.
	b        strings.Builder
}

// partMeta is what is of use in the metadata of a part.
type partMeta struct {
	ToolCallID string `json:"toolCallId"`
	ToolName   string `json:"toolName"`
	IsError    bool   `json:"isError"`
	Provider   string `json:"modelProvider"`
	Model      string `json:"modelId"`
}

func (w *messageWriter) line(parts ...string) { w.b.WriteString(strings.Join(parts, "") + "\n") }

func (w *messageWriter) write() {
	w.heading()
	w.content()
	for _, p := range w.m.Parts {
		w.part(p)
	}
	if w.clipped {
		w.line("\n", w.env.Styles.Faint.Render("reading the rest…"))
	}
}

func (w *messageWriter) heading() {
	s, m := w.env.Styles, w.m
	w.line(s.Role(m.Role).Bold(true).Render(ui.LineN(m.Role, 24)), s.Title.Render("  seq "+ui.Num(m.Seq)),
		s.Muted.Render("   id "+views.Itoa(m.ID)+"   "+ui.Tokens(m.Tokens)+"   "+ui.Size(m.Bytes)))
	w.line(s.Muted.Render(w.env.Stamp(m.CreatedAt)))
	if model := w.model(); model != "" {
		w.line(s.Muted.Render("by "), ui.LineN(model, w.width-3))
	}
	switch {
	case m.InContext:
		w.line(s.Good.Render("●"), " in the context")
	case len(m.SummaryIDs) == 0:
		w.line(s.Warn.Render("! neither in the context nor under a summary"), s.Muted.Render(": /new and pruning leave such messages; else the model has lost it"))
	}
	for _, id := range m.SummaryIDs {
		w.line(s.Muted.Render("covered by "), s.D0.Render("d0 "+ui.Line(id)))
	}
	if f, ok := data.ParseForgotten(m.Content); ok {
		w.line(s.Warn.Render("forgotten"), s.Muted.Render(": its text of "+ui.Size(f.Bytes)+" was removed; the trash may still hold it"))
	}
	if m.LargeContent != "" {
		w.line(s.Accent.Render("file "), ui.Line(m.LargeContent), s.Muted.Render(" holds the payload"))
	}
}

// model returns the model that wrote the message, if the host noted it.
func (w *messageWriter) model() string {
	for _, p := range w.m.Parts {
		if meta, _ := w.meta(p); meta.Model != "" {
			return strings.TrimPrefix(meta.Provider+"/"+meta.Model, "/")
		}
	}
	return ""
}

func (w *messageWriter) meta(p lcm.Part) (m partMeta, err error) {
	if strings.TrimSpace(p.Metadata) == "" {
		return m, nil
	}
	var raw json.RawMessage
	if err := json.Unmarshal([]byte(p.Metadata), &raw); err != nil {
		return m, err
	}
	_ = json.Unmarshal(raw, &m) // A field of another type is left out.
	return m, nil
}

// content writes the text of the message itself: of a tool it is an answer.
func (w *messageWriter) content() {
	text := w.m.Content
	if strings.TrimSpace(text) == "" {
		if len(w.m.Parts) == 0 {
			w.line("\n", w.env.Styles.Muted.Render("the message is empty"))
		}
		return
	}
	w.line()
	switch {
	case w.m.Role == "tool":
		w.callReference()
		w.writeFolded(w.wrap(text), foldedLines)
	case w.m.Role == "assistant" && len(text) <= markdownMost:
		w.line(ui.Markdown(text, w.width, w.env.Styles.DarkBackground))
	default:
		w.line(w.wrap(text))
	}
	if over := w.m.Bytes - textMost; over > 0 && !w.clipped {
		w.line(w.env.Styles.Faint.Render("… " + ui.Size(over) + " more; Y copies all of it"))
	}
}

// callReference writes which call the content of a tool's message answers.
func (w *messageWriter) callReference() {
	s := w.env.Styles
	for _, p := range w.m.Parts {
		meta, _ := w.meta(p)
		name, call := views.FirstNonEmpty(p.ToolName, meta.ToolName), views.FirstNonEmpty(p.ToolCallID, meta.ToolCallID)
		if name == "" && call == "" {
			continue
		}
		w.line(s.Tool.Render("↳ answer of "), s.Title.Render(ui.LineN(views.FirstNonEmpty(name, "a tool"), 40)), s.Muted.Render("   "+ui.LineN(call, 60)))
		return
	}
}

// wrap returns as much of a text as is shown, clean and wrapped.
func (w *messageWriter) wrap(text string) string {
	if len(text) > textMost {
		text = strings.ToValidUTF8(text[:textMost], "")
	}
	return ansi.Wrap(ui.Sanitize(text), w.width, "")
}

// writeFolded writes the first n lines of a text, or all of it when it's unfolded, not
// much longer, or holds further down what is searched.
func (w *messageWriter) writeFolded(text string, n int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	hidden := len(lines) - n
	if w.unfolded || hidden <= 1 || w.holdsMatch(lines[n:]) {
		w.line(strings.Join(lines, "\n"))
		return
	}
	w.line(strings.Join(lines[:n], "\n"))
	w.line(w.env.Styles.Faint.Render("… " + plural.Count(hidden, "more line", "more lines") + " (t unfolds)"))
}

// holdsMatch reports whether lines hold what is searched.
func (w *messageWriter) holdsMatch(lines []string) bool {
	text := strings.Join(lines, "\n")
	if w.marks != nil {
		return len(w.marks(text)) > 0
	}
	return w.needle != "" && strings.Contains(strings.ToLower(text), strings.ToLower(w.needle))
}

func (w *messageWriter) part(p lcm.Part) {
	p = w.m.WithAnswer(p)
	s := w.env.Styles
	meta, err := w.meta(p)
	switch p.Type {
	case "text":
		w.text(p)
	case "reasoning":
		w.title(s.Muted, "⋯ reasoning", "")
		w.writeFolded(s.Muted.Render(w.wrap(views.FirstNonEmpty(p.Text, "without text"))), thoughtLines)
	case "tool":
		w.tool(p, meta)
	case "file":
		w.title(s.Accent, "file ", ui.LineN(p.FileName, w.width))
		w.text(p)
	default:
		w.title(s.Accent, "part of type ", ui.LineN(views.FirstNonEmpty(p.Type, "?"), 40))
		w.text(p)
		w.tool(p, meta)
	}
	if meta.IsError {
		w.line(s.Bad.Render("! the tool reported an error"))
	}
	if err != nil && !w.clipped {
		w.line(s.Bad.Render("! the metadata of this part is not JSON: "), ui.LineN(p.Metadata, max(20, w.width-2)))
	}
}

// title begins a part.
func (w *messageWriter) title(style lipgloss.Style, sign, text string) {
	w.line()
	w.line(style.Render(sign), w.env.Styles.Title.Render(text))
}

// text writes the text of a part, unless the content has it.
func (w *messageWriter) text(p lcm.Part) {
	if strings.TrimSpace(p.Text) == "" || strings.Contains(w.m.Content, p.Text) {
		return
	}
	if p.Type == "text" {
		w.title(w.env.Styles.Muted, "text ", ui.LineN(strings.TrimSpace(p.ToolName+" "+p.ToolCallID), w.width-5))
	}
	w.writeFolded(w.wrap(p.Text), foldedLines)
}

// tool writes a call with what the tool was told, and what it answered.
func (w *messageWriter) tool(p lcm.Part, meta partMeta) {
	s := w.env.Styles
	name, call := ui.LineN(views.FirstNonEmpty(p.ToolName, meta.ToolName), 40), ui.LineN(views.FirstNonEmpty(p.ToolCallID, meta.ToolCallID), 60)
	if p.ToolInput != "" || p.Type == "tool" && p.ToolOutput == "" && w.m.Role != "tool" {
		w.title(s.Tool, "call ", views.FirstNonEmpty(name, "a tool")+s.Muted.UnsetBold().Render("   "+call))
		w.writeFolded(w.wrap(pretty(p.ToolInput)), foldedLines)
	}
	if p.ToolOutput != "" {
		w.title(s.Tool, "↳ answer of ", views.FirstNonEmpty(name, "a tool")+s.Muted.UnsetBold().Render("   "+call))
		w.writeFolded(w.wrap(pretty(p.ToolOutput)), foldedLines)
	}
}

// pretty returns JSON with its lines indented, and any other text as it is.
func pretty(text string) string {
	var b bytes.Buffer
	if len(text) > textMost || json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	var bare string // A JSON string is shown as its value.
	if json.Unmarshal([]byte(text), &bare) == nil {
		return bare
	}
	return b.String()
}
