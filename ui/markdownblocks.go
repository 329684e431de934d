package ui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// minBlockWidth is how many cells an indented block needs; where there are fewer, it isn't indented.
const minBlockWidth = 8

// blockIndent stands before each line of a block. first stands before its first line, rest before
// the others; both are styled and have the same cells.
type blockIndent struct {
	first, rest string
	cells       int
	begun       bool // The first line is written.
}

// markdownWriter draws the blocks of a text.
type markdownWriter struct {
	source  []byte
	width   int
	palette markdownPalette
	out     strings.Builder
	indents []blockIndent
	// indented is the sum of the cells of indents.
	indented int
}

// children draws the blocks in n, with blank lines between them if apart.
func (w *markdownWriter) children(n ast.Node, apart bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if apart && c != n.FirstChild() {
			w.line("")
		}
		w.block(c)
	}
}

func (w *markdownWriter) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n)
	case *ast.ThematicBreak:
		w.line(w.palette.render(strings.Repeat("─", w.rest()), spanStyle{role: roleFrame}))
	case *ast.CodeBlock:
		w.code(n.Lines())
	case *ast.FencedCodeBlock:
		w.fencedCode(n)
	case *ast.HTMLBlock:
		w.written(n.Lines())
		if n.HasClosure() {
			w.writtenLine(n.ClosureLine)
		}
	case *unparsedBlock:
		w.written(n.Lines())
	case *ast.Blockquote:
		bar := w.palette.render("│", spanStyle{role: roleFrame}) + " "
		w.within(blockIndent{first: bar, rest: bar, cells: 2}, func() { w.children(n, true) })
	case *ast.List:
		w.list(n)
	case *extensionast.Table:
		w.table(n)
	default:
		w.wrapped(w.inlines(n, spanStyle{}))
	}
}

// heading keeps the number signs: they tell the level, with and without colours.
func (w *markdownWriter) heading(n *ast.Heading) {
	sign := span{strings.Repeat("#", n.Level) + " ", spanStyle{role: roleAddress}}
	w.wrapped(append([]span{sign}, w.inlines(n, spanStyle{role: roleHeading})...))
}

func (w *markdownWriter) fencedCode(n *ast.FencedCodeBlock) {
	if n.Info != nil {
		info := unescapeMarkdown(string(n.Info.Segment.Value(w.source)))
		w.within(blockIndent{first: "  ", rest: "  ", cells: 2}, func() {
			w.wrapped([]span{{info, spanStyle{role: roleAddress}}})
		})
	}
	w.code(n.Lines())
}

// code draws lines as they are; those that are too long go on in the next line.
func (w *markdownWriter) code(lines *text.Segments) {
	w.within(blockIndent{first: "  ", rest: "  ", cells: 2}, func() {
		for i := range lines.Len() {
			segment := lines.At(i)
			line := strings.TrimRight(string(segment.Value(w.source)), "\n ")
			cutCells(line, w.rest(), func(piece string) {
				if piece != "" {
					piece = w.palette.render(piece, spanStyle{role: roleCode})
				}
				w.line(piece)
			})
		}
	})
}

// written draws lines as they are written, wrapped at blanks.
func (w *markdownWriter) written(lines *text.Segments) {
	for i := range lines.Len() {
		w.writtenLine(lines.At(i))
	}
}

func (w *markdownWriter) writtenLine(line text.Segment) {
	w.wrapped([]span{{strings.TrimRight(string(line.Value(w.source)), "\n "), spanStyle{}}})
}

func (w *markdownWriter) list(n *ast.List) {
	number, widest := n.Start, len(strconv.Itoa(n.Start+max(0, n.ChildCount()-1)))
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if !n.IsTight && item != n.FirstChild() {
			w.line("")
		}
		marker := "• "
		if n.IsOrdered() {
			digits := strconv.Itoa(number)
			marker = strings.Repeat(" ", widest-len(digits)) + digits + string(n.Marker) + " "
			number++
		} else if box := taskOf(item); box != nil {
			marker = taskSign(box) + " "
			box.Parent().RemoveChild(box.Parent(), box)
		}
		w.item(item, marker, !n.IsTight)
	}
}

// taskOf returns the box that item begins with, or nil.
func taskOf(item ast.Node) *extensionast.TaskCheckBox {
	if item.FirstChild() == nil {
		return nil
	}
	box, _ := item.FirstChild().FirstChild().(*extensionast.TaskCheckBox)
	return box
}

func (w *markdownWriter) item(item ast.Node, marker string, apart bool) {
	cells := ansi.StringWidth(marker)
	first := w.palette.render(marker, spanStyle{role: roleAddress})
	w.within(blockIndent{first: first, rest: strings.Repeat(" ", cells), cells: cells}, func() {
		w.children(item, apart)
		if item.FirstChild() == nil {
			w.line("")
		}
	})
}

// within draws with an indent. Where there is no room for one its first line, which may number an item,
// gets a line of its own.
func (w *markdownWriter) within(in blockIndent, draw func()) {
	if w.rest()-in.cells < minBlockWidth {
		if marker := strings.TrimSpace(ansi.Strip(in.first)); marker != "" && in.first != in.rest {
			w.wrapped([]span{{marker, spanStyle{role: roleAddress}}})
		}
		draw()
		return
	}
	w.indents, w.indented = append(w.indents, in), w.indented+in.cells
	draw()
	w.indents, w.indented = w.indents[:len(w.indents)-1], w.indented-in.cells
}

// rest returns how many cells a line has beside its indents.
func (w *markdownWriter) rest() int {
	return max(1, w.width-w.indented)
}

func (w *markdownWriter) wrapped(spans []span) {
	wrap := wrapper{palette: &w.palette, width: w.rest(), emit: func(line string, _ int) { w.line(line) }}
	wrap.wrap(spans)
}

// line writes a line behind the indents.
func (w *markdownWriter) line(styled string) {
	blank := styled == ""
	last := len(w.indents) - 1
	for i := range w.indents {
		in := &w.indents[i]
		prefix := in.rest
		if !in.begun {
			prefix, in.begun = in.first, true
		}
		if blank && i == last {
			prefix = strings.TrimRight(prefix, " ")
		}
		w.out.WriteString(prefix)
	}
	w.out.WriteString(styled)
	w.out.WriteByte('\n')
}
