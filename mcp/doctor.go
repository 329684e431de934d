package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/engine/integrity"
)

// mostFindings is how many findings of the data lcm_doctor lists.
const mostFindings = 10

// maxCell is how much of a text a cell shows, in UTF-16 code units.
const maxCell = 400

// InstallationFinding is what is wrong with the installation of this program for a client.
type InstallationFinding struct{ ID, Severity, Client, Text, Repair string }

// doctorTool lists what is wrong with the data and with the installation.
func doctorTool() tool {
	return tool{
		name: "lcm_doctor", title: "Memory check",
		about: "List the ten worst faults that a check of the memory found, and what is wrong with the hooks and tools of coding agents on this machine, as Markdown tables. It repairs nothing.",
		call:  readDoctor,
	}
}

func readDoctor(ctx context.Context, c *call) (answer, error) {
	scope, err := c.confined(ctx)
	if err != nil {
		return answer{}, err
	}
	all, err := c.visible(ctx, scope)
	if err != nil {
		return answer{}, err
	}
	out := []string{"## LCM Doctor", "**Conversation scope:** " + scope.String(), "", "### Data"}
	found, done, err := c.health.findings(ctx, c.Server, c.db)
	switch {
	case err != nil:
		out = append(out, "the check failed: "+oneLine(err.Error(), maxName))
	case !done:
		out = append(out, "a check is running; call again in a minute")
	default:
		out = append(out, findingTable(visibleFindings(found, all, scope.All()), scope.All())...)
	}
	if c.Installation != nil && scope.All() {
		out = append(out, "", "### Installation")
		out = append(out, installationTable(c.Installation(ctx))...)
	}
	return answer{text: strings.Join(out, "\n") + "\n", narrower: "the rest can't be shown"}, nil
}

// visibleFindings returns the findings about conversations, or with whole those about the file as well, the worst first.
func visibleFindings(found []integrity.Finding, all []listed, whole bool) (shown []integrity.Finding) {
	visible := map[int64]bool{0: whole}
	for _, l := range all {
		visible[l.ID] = true
	}
	for _, f := range found {
		if visible[f.Conversation] && (whole || !f.AcrossConversations) {
			shown = append(shown, f)
		}
	}
	place := func(f integrity.Finding) int { return slices.Index(integrity.Severities(), f.Severity) }
	slices.SortStableFunc(shown, func(a, b integrity.Finding) int { return cmp.Compare(place(a), place(b)) })
	return shown
}

// findingTable lists the first findings. Details may name other conversations, so that they are left out where not
// the whole file is shown.
func findingTable(found []integrity.Finding, whole bool) []string {
	if len(found) == 0 {
		return []string{"no fault was found"}
	}
	out := []string{"| fault | severity | conversation | detail |", "|---|---|---:|---|"}
	for _, f := range found[:min(len(found), mostFindings)] {
		conversation := "-"
		if f.Conversation != 0 {
			conversation = fmt.Sprint(f.Conversation)
		}
		detail := "a person can look at it with lcm-tui doctor"
		if whole {
			detail = cell(f.Detail)
		}
		out = append(out, fmt.Sprintf("| %s | %s | %s | %s |", f.Fault, f.Severity, conversation, detail))
	}
	if rest := len(found) - mostFindings; rest > 0 {
		out = append(out, "", fmt.Sprintf("%d more; a person can look at them with lcm-tui doctor", rest))
	}
	return out
}

// installationTable lists what is wrong with the installation.
func installationTable(found []InstallationFinding) []string {
	if len(found) == 0 {
		return []string{"nothing was found"}
	}
	out := []string{"| check | severity | client | text | repair |", "|---|---|---|---|---|"}
	for _, f := range found {
		out = append(out, fmt.Sprintf("| %s | %s | %s | %s | %s |", f.ID, f.Severity, f.Client, cell(f.Text), cell(f.Repair)))
	}
	return out
}

// cell returns a text that ends no cell of a table.
func cell(text string) string { return strings.ReplaceAll(oneLine(text, maxCell), "|", `\|`) }
