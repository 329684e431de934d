package export

import (
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/hint"
)

// Format is the form of an exported file.
type Format string

// The formats.
const (
	OpenClaw Format = "openclaw" // A session file of OpenClaw, which backfill imports again.
	Claude   Format = "claude"   // A session file of Claude Code.
	OpenAI   Format = "openai"   // One JSON array of chat messages.
	Markdown Format = "markdown"
	HTML     Format = "html"
	Dot      Format = "dot"     // The graph of the summaries for Graphviz.
	Mermaid  Format = "mermaid" // The graph of the summaries for Mermaid.
	JSONL    Format = "jsonl"   // Rows, one JSON object a line.
)

// Formats are all formats, the order of help and of screens.
var Formats = []Format{OpenClaw, Claude, OpenAI, Markdown, HTML, Dot, Mermaid, JSONL}

// Extension returns what the name of a file of the format ends with.
func (f Format) Extension() string {
	switch f {
	case OpenClaw, Claude, JSONL:
		return ".jsonl"
	case OpenAI:
		return ".json"
	case Markdown:
		return ".md"
	case Mermaid:
		return ".mmd"
	}
	return "." + string(f)
}

// About says in a few words whom a format is for.
func (f Format) About() string {
	switch f {
	case OpenClaw:
		return "an OpenClaw session, imported again by backfill"
	case Claude:
		return "a Claude Code session"
	case OpenAI:
		return "chat messages for other models"
	case Markdown:
		return "text for people and for git"
	case HTML:
		return "a page for people, without scripts"
	case Dot:
		return "the graph of summaries for Graphviz"
	case Mermaid:
		return "the graph of summaries for Mermaid"
	}
	return "every row as JSON, for scripts"
}

// OneFile reports whether a file of the format can hold several conversations.
func (f Format) OneFile() bool { return f == JSONL }

// Content is which part of a conversation is exported.
type Content string

// The parts of a conversation.
const (
	Messages  Content = "messages"
	Context   Content = "context" // What a model is shown.
	Summaries Content = "summaries"
	All       Content = "all"
)

// Contents are all values of Content.
var Contents = []Content{Messages, Context, Summaries, All}

// Contents returns those that a format can hold, the default first.
func (f Format) Contents() []Content {
	switch f {
	case OpenClaw, Claude, OpenAI:
		return []Content{Messages, Context}
	case Dot, Mermaid:
		return []Content{Summaries}
	}
	return []Content{All, Messages, Context, Summaries}
}

// FileMode is what becomes of large files.
type FileMode string

// What becomes of large files.
const (
	FilesNone   FileMode = "none"   // Their references stay.
	FilesInline FileMode = "inline" // Their contents stand in the text.
	FilesCopy   FileMode = "copy"   // They are copied into a folder beside the export.
)

// FileModes are all values of FileMode.
var FileModes = []FileMode{FilesNone, FilesInline, FilesCopy}

// Bound is an end of a range: a seq or a time; zero is open. Both ends belong to the range.
type Bound struct {
	Seq *int64
	At  time.Time
}

// Options say what is exported and how.
type Options struct {
	Format      Format
	Content     Content
	From, Until Bound
	// AllRows also exports the notes that old hosts kept of compactions, and heartbeats.
	AllRows  bool
	Scrubber Scrubber // Nil leaves texts as they are.
	Files    FileMode
	// FilesFolder is the host's folder of large files; CopyTo is where FilesCopy puts them, and
	// Link is the path of that folder from the exported file.
	FilesFolder, CopyTo, Link string
	Version                   string // Of this program.
	// mayReplace says whether a copied file may replace the one at a path; nil replaces none.
	mayReplace func(path string) error
}

// program returns the name of this program with its version.
func (o Options) program() string { return strings.TrimSpace("lcm-tui " + o.Version) }

// content returns the content that is exported, or why the format can't hold it.
func (o Options) content() (Content, error) {
	can := o.Format.Contents()
	if o.Content == "" {
		return can[0], nil
	}
	if !slices.Contains(can, o.Content) {
		names := make([]string, len(can))
		for i, c := range can {
			names[i] = string(c)
		}
		return "", hint.New("the format "+string(o.Format)+" can't hold the "+o.Content.noun(), "it holds "+strings.Join(names, " or "))
	}
	return o.Content, nil
}

// Check says why an export can't be made as asked for, or nil.
func (o Options) Check() error {
	_, err := o.content()
	return err
}

func (c Content) noun() string {
	if c == All {
		return "whole conversation"
	}
	return string(c)
}
