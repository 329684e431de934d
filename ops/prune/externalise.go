package prune

import (
	"path/filepath"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
	"lcm-tui/ops/prune/removal"
)

// refer moves payloads into files as the host of the file does. The ids of the files depend on the
// message alone, so that a second run finds those of one that was stopped. In a conversation of which
// the host would store all again once it finds another text, only outputs of tools move: a host compares
// them with their files.
func (p *pruning) refer() removal.Refer {
	o, rules := p.op, ingest.RulesOf(p.db.Schema(), token.Units, 0)
	return func(m *lcm.RawMessage, conversation int64) (out removal.Reference, ok bool) {
		folder := filepath.Join(o.FilesFolder, strconv.FormatInt(conversation, 10))
		s, ok := rules.MovePayloads(m, o.Payload, "prune "+strconv.FormatInt(conversation, 10)+" "+strconv.FormatInt(m.ID, 10))
		if !ok || p.outputsOnly[conversation] && !lcm.IsOutputReference(s.Content) {
			return out, false
		}
		out.Content, out.Parts = s.Content, s.Parts
		for _, f := range s.Files {
			out.Files = append(out.Files, removal.ReferredFile{
				NewFile: data.NewFile{ID: f.ID, Body: f.Body, To: filepath.Join(folder, f.Base()), Into: o.FilesFolder, Bytes: int64(len(f.Body))},
				Name:    f.Name, MIME: f.MIME, Exploration: f.Exploration, Lines: f.Lines,
			})
		}
		return out, true
	}
}
