package ui

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The limits keep the time of parsing near the size of the text, whatever stands in it. What
// is beyond them is shown as it is written.
const (
	maxNesting     = 10   // Lists and quotes within each other.
	maxDelimiters  = 1000 // Characters of a paragraph that may be markup.
	maxHeading     = 1000 // Bytes of a heading's line.
	freeTableCells = 4096 // Cells of a table that has fewer bytes than cells.
)

// markdownParser reads CommonMark with GitHub's tables, strikethrough, tasks and bare links.
// It leaves out reference links: `[text][id]` and its definition are shown as they are written.
var markdownParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(limitedNesting{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(limitedHeading{parser.NewATXHeadingParser()}, 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(limitedNesting{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	parser.WithInlineParsers(
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	),
	parser.WithParagraphTransformers(
		util.Prioritized(limitedTable{extension.NewTableParagraphTransformer()}, 200),
		util.Prioritized(limitedDelimiters{}, 300),
	),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// parseMarkdown returns the tree of source, or nil if the parser failed: a fault in it
// must not end the program.
func parseMarkdown(source []byte) (document ast.Node) {
	defer func() {
		if recover() != nil {
			document = nil
		}
	}()
	return markdownParser.Parse(text.NewReader(source))
}

// limitedNesting is a parser of lists or quotes that opens none within maxNesting others.
type limitedNesting struct{ parser.BlockParser }

func (l limitedNesting) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindList || n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	if depth >= maxNesting {
		return nil, parser.NoChildren
	}
	return l.BlockParser.Open(parent, reader, pc)
}

// limitedHeading is a parser of headings that leaves long lines to the paragraphs.
type limitedHeading struct{ parser.BlockParser }

func (l limitedHeading) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); len(line) > maxHeading {
		return nil, parser.NoChildren
	}
	return l.BlockParser.Open(parent, reader, pc)
}

// limitedTable makes tables, but none whose short rows would be filled up with far more cells than
// the text has bytes.
type limitedTable struct{ parser.ParagraphTransformer }

func (l limitedTable) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, columns, size, escapes := node.Lines(), 0, 0, 0
	for i := range lines.Len() {
		segment := lines.At(i)
		line := bytes.TrimSpace(segment.Value(reader.Source()))
		size, escapes = size+len(line), escapes+bytes.Count(line, []byte(`\|`))
		if countDelimiters(line) > maxDelimiters || escapes > maxDelimiters {
			return
		}
		if len(bytes.Trim(line, "|-: ")) == 0 {
			columns = max(columns, 1+bytes.Count(line, []byte{'|'}))
		}
	}
	if columns > 0 && columns*lines.Len() <= max(size, freeTableCells) {
		l.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// limitedDelimiters turns a paragraph that is full of markup, such as data that somebody pasted, into
// an unparsedBlock.
type limitedDelimiters struct{}

func (limitedDelimiters) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	count, lines := 0, node.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		count += countDelimiters(segment.Value(reader.Source()))
	}
	if count <= maxDelimiters {
		return
	}
	block := &unparsedBlock{}
	block.SetLines(lines)
	node.Parent().ReplaceChild(node.Parent(), node, block)
}

func countDelimiters(text []byte) (n int) {
	for _, c := range text {
		switch c {
		case '[', ']', '*', '_', '~', '<', '`', '@':
			n++
		}
	}
	return n
}

// unparsedBlock is a paragraph that is shown as it is written.
type unparsedBlock struct{ ast.BaseBlock }

var kindUnparsedBlock = ast.NewNodeKind("UnparsedBlock")

func (*unparsedBlock) Kind() ast.NodeKind { return kindUnparsedBlock }

func (*unparsedBlock) IsRaw() bool { return true }

func (b *unparsedBlock) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }
