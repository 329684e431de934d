package transcript

import (
	"strings"

	"lcm-tui/data/jstext"
)

// learn takes from a line what it says about the session.
func (s *Session) learn(k Kind, line string) {
	if s.isKnown(k) {
		return
	}
	switch k {
	case OpenClaw:
		s.learnOpenClaw(line)
	case ClaudeCode:
		s.learnClaude(line)
	case Codex:
		s.learnCodex(line)
	case Gemini:
		s.learnGemini(line)
	}
}

// isKnown reports whether no line can say more. Claude Code's first lines name the session without its folder.
func (s *Session) isKnown(k Kind) bool { return s.ID != "" && (k != ClaudeCode || s.CWD != "") }

// fields returns the members of a line that are asked for.
func fields(line string, names ...string) map[string]jstext.Value {
	out := map[string]jstext.Value{}
	for _, n := range names {
		out[n] = ""
	}
	_ = eachField(line, func(key, value string) bool { // What came before the damage is good.
		if _, ok := out[key]; ok {
			out[strings.Clone(key)] = jstext.Parse(strings.Clone(value))
		}
		return true
	})
	return out
}

// ExportedField is the member of the first line of an exported session file that says so.
const ExportedField = "exportedFromLCM"

func (s *Session) learnOpenClaw(line string) {
	f := fields(line, "type", "id", "timestamp", "cwd", ExportedField)
	if f["type"] == `"session"` {
		s.ID, s.CWD, s.Started = f["id"].Text(), f["cwd"].Text(), firstTime(f["timestamp"])
		s.Exported = f[ExportedField] == jstext.True
	}
}

// learnClaude: the file of an agent's helper names the helper on each line and the
// session of the agent, so that its own name is made of both. Older hosts put the
// work of helpers, without names, among the session's own.
func (s *Session) learnClaude(line string) {
	f := fields(line, "sessionId", "timestamp", "cwd", "isSidechain", "agentId")
	id := f["sessionId"].Text()
	if s.CWD = f["cwd"].Text(); s.ID != "" || id == "" {
		return
	}
	s.ID, s.Started = id, firstTime(f["timestamp"])
	if agent := f["agentId"].Text(); agent != "" && f["isSidechain"] == jstext.True {
		s.Aside = true
		s.ID += "/" + agent
	}
}

func (s *Session) learnCodex(line string) {
	f := fields(line, "type", "id", "timestamp", "payload")
	if p := f["payload"]; f["type"] == `"session_meta"` {
		s.ID, s.CWD, s.Started = p.Field("id").Text(), p.Field("cwd").Text(), firstTime(p.Field("timestamp"), f["timestamp"])
		s.Base = partBase(p)
	} else if f["type"] == "" {
		s.ID, s.Started = f["id"].Text(), firstTime(f["timestamp"])
	}
}
