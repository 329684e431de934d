package install

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// inspectedHook is a handler of ours in a file of hooks.
type inspectedHook struct {
	handlerPlace
	matcher string
	timeout float64 // Negative without one.
	isExec  bool
	members map[string]any
}

// checkHooks looks at the hooks in the client's file.
func (p *place) checkHooks() {
	if p.hooks == nil {
		return
	}
	ours := p.ourHooks()
	p.ours = ours
	top, _ := p.hooks.decoded.(map[string]any)
	if p.client.Name == "claude-code" {
		p.checkSettings(top)
	}
	r := p.Environment.receipt(PartHooks, p.hookPath)
	if hooks, has := top["hooks"]; has && hooks == nil && r != nil {
		p.add("I06", SeverityError, p.hookPath, "/hooks", "hooks is null, so that none runs", "--fix adds the hooks")
	}
	if len(ours) == 0 {
		return
	}
	if top["disableAllHooks"] == true {
		p.add("I06", SeverityError, p.hookPath, "/disableAllHooks", "all hooks are turned off", "set disableAllHooks to false, or remove it")
	}
	if plugin := p.client.plugin(p.Environment); plugin != "" {
		p.add("I04", SeverityError, p.hookPath, "/hooks", "the hooks are there and in the plugin "+plugin+": each event runs twice", "--fix removes them from this file")
	}
	p.checkEvents(ours)
	isKnown := map[string]bool{}
	for _, h := range ours {
		words, _ := hookProgram(h.members)
		if !isKnown[words[0]] {
			p.checkProgram(words[0], h.pointer(), p.hookPath)
		}
		isKnown[words[0]] = true
		p.checkTimeout(h)
	}
	if p.client.Name == "codex" {
		p.checkCodexTrust(ours)
	}
}

// ourHooks returns our handlers, and notes those of other programs of this kind.
func (p *place) ourHooks() (ours []inspectedHook) {
	eachHandler(p.hooks.decoded, func(at handlerPlace, group map[string]any, handler any) {
		members, _ := handler.(map[string]any)
		words, isExec := hookProgram(handler)
		if isOldHook(handler) {
			p.checkOld(words[0], at.pointer(), p.hookPath)
		}
		if !isOurHook(handler, Server{Command: p.Program}) {
			return
		}
		h := inspectedHook{handlerPlace: at, isExec: isExec, timeout: -1, members: members}
		h.matcher, _ = group["matcher"].(string)
		if n, ok := members["timeout"].(json.Number); ok {
			h.timeout, _ = n.Float64()
		}
		ours = append(ours, h)
	})
	return ours
}

// pointer returns the place of the handler as a JSON pointer.
func (p handlerPlace) pointer() string {
	return eventPointer(p.event) + "/" + strconv.Itoa(p.group) + "/hooks/" + strconv.Itoa(p.handler)
}

// checkSettings looks at values of Claude Code's settings on which hooks and tools depend.
func (p *place) checkSettings(top map[string]any) {
	if days, has := top["cleanupPeriodDays"]; has {
		n, isNumber := days.(json.Number)
		if v, err := strconv.Atoi(n.String()); !isNumber || err != nil || v < 1 {
			p.add("I05", SeverityError, p.hookPath, "/cleanupPeriodDays", "the value must be a whole number from 1 on; Claude Code ignores the whole file", "set it to 365 or remove it by hand")
		}
	}
	servers, _ := top["mcpServers"].(map[string]any)
	if _, has := servers[EntryName]; has {
		p.add("I11", SeverityWarn, p.hookPath, "/mcpServers/"+EntryName, "Claude Code does not read servers from this file", "--fix moves the entry to where it is read")
	}
}

// checkEvents notes events that have no hook of ours, words that a matcher lacks, and events with hooks of two forms.
func (p *place) checkEvents(ours []inspectedHook) {
	for _, event := range hookTables[p.client.Name] {
		words, forms, has := []string{}, map[bool]bool{}, false
		for _, h := range ours {
			if h.event == event.name {
				has, forms[h.isExec] = true, true
				words = append(words, strings.Split(h.matcher, "|")...)
			}
		}
		pointer := eventPointer(event.name)
		switch {
		case !has:
			p.add("I06", SeverityError, p.hookPath, pointer, "nothing runs at "+event.name, "--fix adds the hook")
		case len(forms) > 1:
			p.add("I04", SeverityError, p.hookPath, pointer, "the hook of "+event.name+" is there with args and as one line: it runs twice", "--fix leaves one")
		case slices.Contains(words, "") || slices.Contains(words, "*"):
		case event.matcher == "":
			p.add("I06", SeverityError, p.hookPath, pointer, "the matcher of "+event.name+" lets only "+strings.Join(words, ", ")+" through", "--fix drops it")
		default:
			for word := range strings.SplitSeq(event.matcher, "|") {
				if !slices.Contains(words, word) {
					p.add("I06", SeverityError, p.hookPath, pointer, "the matcher of "+event.name+" lacks "+word, "--fix adds it")
				}
			}
		}
	}
}

// checkTimeout notes a hook that may block the client, or that has no time to do its work.
func (p *place) checkTimeout(h inspectedHook) {
	problem := ""
	switch isGemini := p.client.Name == "gemini"; {
	case h.timeout < 0:
		problem = "has no time limit"
	case isGemini && h.timeout < 100:
		problem = fmt.Sprintf("has %g milliseconds; this client does not count seconds", h.timeout)
	case !isGemini && h.timeout > 600:
		problem = fmt.Sprintf("has %g seconds; this client does not count milliseconds", h.timeout)
	default:
		return
	}
	p.add("I10", SeverityError, p.hookPath, h.pointer(), "the hook of "+h.event+" "+problem, "--fix writes the usual one")
}
