package read

import (
	"fmt"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/ui"
)

// coverage is how much of what was said is in summaries.
type coverage struct {
	Summarized int64   `json:"summarized_tokens"` // Of the messages that summaries were made of.
	Tokens     int64   `json:"tokens"`            // Of all messages.
	Share      float64 `json:"share"`             // From 0 to 1.
	Exact      bool    `json:"exact"`             // The messages were counted; else it is what summaries and contexts note.
}

func newCoverage(t lcm.SummarizedTokens) *coverage {
	c := &coverage{Summarized: t.Summarized, Tokens: t.All, Exact: t.Exact}
	if c.Tokens > 0 {
		c.Share = float64(c.Summarized) / float64(c.Tokens)
	}
	return c
}

func (c *coverage) print(p *cli.Printer) {
	if c != nil && c.Tokens > 0 {
		p.Fact("summarized", fmt.Sprintf("%s of %s tokens of messages (%.0f %%)", ui.Num(c.Summarized), ui.Num(c.Tokens), 100*c.Share))
	}
}

// hostInfo is what is known of the host and its plugin on this machine.
type hostInfo struct {
	settings.Enablement
	Version *string  `json:"plugin_version"` // Null where the plugin isn't found.
	Path    *string  `json:"plugin_path"`
	Reasons []string `json:"inactive_because"`

	found bool // The host has a configuration.
}

func newHostInfo(plugin openclaw.InstalledPlugin, conf cli.HostSettings) hostInfo {
	h := hostInfo{Enablement: conf.Enablement(), Version: cli.OrNull(plugin.Version), Path: cli.OrNull(plugin.Path), Reasons: []string{}, found: conf.Host.Found}
	for _, why := range h.Enablement.Reasons {
		h.Reasons = append(h.Reasons, why.Error())
	}
	return h
}

func (h *hostInfo) print(p *cli.Printer) {
	version := "not found"
	if h.Version != nil {
		version = ui.LineN(*h.Version, 40) + " in " + ui.Line(*h.Path)
	}
	p.Fact("plugin", version)
	switch {
	case !h.Active:
		for i, why := range h.Reasons {
			name := ""
			if i == 0 {
				name = "in use"
			}
			p.Fact(name, cli.Styled(p.Styles.Warn, "no: "+ui.Line(why)))
		}
	case h.found:
		p.Fact("in use", "yes")
	}
}
