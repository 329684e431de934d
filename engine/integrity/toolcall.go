package integrity

import (
	"fmt"
	"strings"

	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/lazyregexp"
)

// providerCallID matches call ids of which no provider uses one twice.
var providerCallID = lazyregexp.New(`^(?:toolu_|call_)[A-Za-z0-9]{12,}$`)

// toolCallCheck compares the tool calls of a conversation with their results.
type toolCallCheck struct {
	found    *findings
	rows     *scan.Conversation
	halfMade map[int64]bool
}

// checkToolPairs compares calls with results. What isn't in the context is Info: a model
// isn't shown it.
func (k *toolCallCheck) checkToolPairs() {
	last := k.rows.LastAssistant()
	for _, c := range k.rows.ToolCalls.Pending {
		where := messageAt(c.Message)
		switch {
		case c.Result && !k.rows.ToolCalls.Made[c.ID]:
			addIfShown(k.found, k.rows.InContext[c.Message], ToolResultWithoutCall, where, "no assistant made the call "+clip(c.ID))
		case !c.Result && !k.rows.ToolCalls.Answered[c.ID] && c.Message != last:
			addIfShown(k.found, k.rows.InContext[c.Message], ToolCallWithoutResult, where, fmt.Sprintf("nothing answers the call %s of %s", clip(c.ID), clip(c.Name)))
		}
	}
	for _, id := range k.rows.ToolCalls.AnsweredOrder {
		if ms := k.rows.ToolCalls.Results[id]; len(ms) > 1 && providerCallID.MatchString(id) {
			for _, m := range ms[1:] {
				addIfShown(k.found, k.rows.InContext[m], ToolResultDuplicate, messageAt(m), fmt.Sprintf("answers the call %s, as message %d does", id, ms[0])).Rows = formatIDs([]int64{ms[0], m})
			}
		}
	}
	for i := range k.rows.Messages {
		if scanned := &k.rows.Messages[i]; scanned.Role == "tool" && !scanned.NamesCall && !k.halfMade[scanned.ID] && !(scanned.IsBlank && scanned.PartCount == 0) {
			detail := "no part names the call"
			if scanned.MetadataCall != "" {
				detail += ", the metadata does: " + clip(scanned.MetadataCall)
			}
			f := addIfShown(k.found, k.rows.InContext[scanned.ID], ToolResultWithoutCallID, messageAt(scanned.ID), detail)
			if f.Unrepairable = scanned.MetadataCall == ""; f.Unrepairable {
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
