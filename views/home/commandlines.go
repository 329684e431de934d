package home

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
	"lcm-tui/views"
)

// commandLines returns the commands of the program that no place of the screens does by itself, with the command line
// for each: choosing one copies it. An action of the present screen that is called so comes first.
func commandLines(db string) []ui.Command {
	lines := []struct{ word, args, what string }{
		{"apply", "PLAN", "write a plan that stands in a file"},
		{"archive", "", "show which sessions a client will delete"},
		{"assemble", "CONV", "print the messages that a model would get"},
		{"backfill", "", "import sessions of OpenClaw and of coding agents"},
		{"compact", "CONV", "compact a context that is too full"},
		{"compare", "CONV", "compare a conversation with its transcript"},
		{"completion", "SHELL", "print a completion script for a shell"},
		{"connectors", "", "give other coding agents skills or rules"},
		{"context", "CONV", "list the context of a conversation"},
		{"curate", "", "import sessions, compact them, and promote what says most"},
		{"demo", "", "try the program on an invented database"},
		{"describe", "SUMMARY", "describe a summary as an agent sees it"},
		{"diagnose", "", "find hooks and tools of coding agents that failed"},
		{"dissolve", "CONV", "replace a summary by its sources"},
		{"edit", "SUMMARY", "replace the text of a summary by your own"},
		{"expand", "SUMMARY", "show what a summary was made from"},
		{"export", "CONV", "write a conversation as a file that others read"},
		{"files", "CONV", "list large files"},
		{"focus", "CONV", "list the focus briefs of a conversation"},
		{"follow", "", "import sessions of coding agents as they grow"},
		{"grep", "PATTERN", "search as an agent does"},
		{"hook", "log", "show when the hooks of coding agents ran"},
		{"info", "", "show which database this is and its state"},
		{"init", "", "create an empty database for agents without a host"},
		{"install", "CLIENT", "give a coding agent its memory: hooks, tools and skills"},
		{"key", "ACTION", "change which session a conversation belongs to"},
		{"man", "", "print the manual page"},
		{"mcp", "", "serve the database to agents"},
		{"memory", "", "list, search and change the entries of memory"},
		{"messages", "CONV", "list the messages of a conversation"},
		{"metrics", "", "print numbers about the database for Prometheus"},
		{"pending", "", "list the summaries that the host prepares"},
		{"plan", "ACTION", "show or check a plan that stands in a file"},
		{"promote", "CONV", "keep the summaries that say most as entries of memory"},
		{"prompts", "", "show, export and test the prompts for summaries"},
		{"prune", "VERB", "remove what may go, to make the database smaller"},
		{"repair", "CONV", "repair what the doctor finds"},
		{"rewrite", "CONV", "regenerate summaries from their sources"},
		{"sensitive", "", "say what models and contexts never get"},
		{"slice", "CONV", "copy conversations into a new database"},
		{"stats", "", "show how much summaries save"},
		{"status", "", "show whether the memory of coding agents works"},
		{"store", "TEXT", "store a text as an entry of memory"},
		{"summaries", "CONV", "list the summaries of a conversation"},
		{"sync", "", "send the database to a replica in PostgreSQL"},
		{"trace", "MESSAGE_OR_SUMMARY", "show where a message went"},
		{"transplant", "SRC DST", "copy summaries into another conversation"},
		{"uninstall", "CLIENT", "take out of a coding agent what install gave it"},
		{"work", "", "show the work that hooks asked for"},
	}
	out := make([]ui.Command, len(lines))
	for i, l := range lines {
		line := "lcm-tui " + l.word
		if !noDatabase[l.word] {
			line += " --db " + "'" + strings.ReplaceAll(db, "'", `'\''`) + "'"
		}
		if l.args != "" {
			line += " " + l.args
		}
		out[i] = ui.Command{
			Name: l.word + ": " + l.what, Kind: "command line", OnQuery: true,
			Run: func() tea.Cmd {
				return views.CopyToClipboard(line, "the command line: "+line)
			},
		}
	}
	return out
}

// noDatabase has the commands that take no --db.
var noDatabase = map[string]bool{"completion": true, "connectors": true, "demo": true, "init": true, "install": true, "man": true, "sensitive": true, "uninstall": true}
