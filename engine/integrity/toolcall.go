package integrity

import (
	"fmt"
	"regexp"
	"strings"
)

// providerCallID matches call ids of which no provider uses one twice.
var providerCallID = regexp.MustCompile(`^(?:toolu_|call_)[A-Za-z0-9]{12,}$`)

// toolCallCheck compares the tool calls of a conversation with their results.
type toolCallCheck struct {
	found    *findings
	rows     *conversationRows
	halfMade map[int64]bool
}

// checkToolPairs compares calls with results. What isn't in the context is Info: a model
// isn't shown it.
func (k *toolCallCheck) checkToolPairs() {
	last := k.rows.lastAssistant()
	for _, c := range k.rows.toolCalls.pending {
		where := messageAt(c.message)
		switch {
		case c.result && !k.rows.toolCalls.made[c.id]:
			addIfShown(k.found, k.rows.inContext[c.message], ToolResultWithoutCall, where, "no assistant made the call "+clip(c.id))
		case !c.result && !k.rows.toolCalls.answered[c.id] && c.message != last:
			addIfShown(k.found, k.rows.inContext[c.message], ToolCallWithoutResult, where, fmt.Sprintf("nothing answers the call %s of %s", clip(c.id), clip(c.name)))
		}
	}
	for _, id := range k.rows.toolCalls.answeredOrder {
		if ms := k.rows.toolCalls.results[id]; len(ms) > 1 && providerCallID.MatchString(id) {
			for _, m := range ms[1:] {
				addIfShown(k.found, k.rows.inContext[m], ToolResultDuplicate, messageAt(m), fmt.Sprintf("answers the call %s, which message %d answers already", id, ms[0])).Rows = formatIDs([]int64{ms[0], m})
			}
		}
	}
	for i := range k.rows.messages {
		if scanned := &k.rows.messages[i]; scanned.role == "tool" && !scanned.namesCall && !k.halfMade[scanned.id] && !(scanned.isBlank && scanned.partCount == 0) {
			detail := "no part names the call"
			if scanned.metadataCall != "" {
				detail += ", the metadata does: " + clip(scanned.metadataCall)
			}
			f := addIfShown(k.found, k.rows.inContext[scanned.id], ToolResultWithoutCallID, messageAt(scanned.id), detail)
			if f.Unrepairable = scanned.metadataCall == ""; f.Unrepairable {
				f.Repair = "nothing in the file: only the transcript knows the call"
			}
		}
	}
}

// addIfShown adds a finding of a message that matters only if a model is shown the message.
// Outside of the context it is Info.
func addIfShown(found *findings, isShown bool, fault FaultID, where location, detail string) *Finding {
	if isShown {
		return found.add(fault, where, detail)
	}
	f := found.add(fault, where, strings.TrimSpace(detail+"; not in the context, so no model is shown it"))
	f.downgrade()
	return f
}
