package change

import (
	"fmt"
	"maps"
	"slices"

	"lcm-tui/cli"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/sessionkey"
)

// changeCodecs read and write the requests of plan files. Folders and settings are those of this run: a
// file doesn't say them.
func codecs(c *cli.Invocation) planfile.Codecs {
	all := planfile.Codecs{
		"dissolve": cli.NewCodec(
			c,
			func(o *dissolve.Op, _ ops.Plan) (any, error) {
				return dissolveRequest{o.Conversation, o.Summary, o.Purge, o.Budget, false}, nil
			},
			func(_ *cli.Invocation, r dissolveRequest) (ops.Op, error) {
				return &dissolve.Op{Conversation: r.Conversation, Summary: r.Summary, Purge: r.Purge, Budget: r.Budget}, nil
			}),
		"repair":      cli.NewCodec(c, encodeRepair, decodeRepair),
		"key rename":  cli.NewCodec(c, encodeRename, decodeRename),
		"key move":    cli.NewCodec(c, encodeMove, decodeMove),
		"key archive": cli.NewCodec(c, encodeArchive, decodeArchive),
		"key unarchive": cli.NewCodec(c, func(o *sessionkey.Unarchive, _ ops.Plan) (any, error) {
			return conversationRequest{o.Conversation}, nil
		}, decodeUnarchive),
		"key detach": cli.NewCodec(c, func(o *sessionkey.Detach, _ ops.Plan) (any, error) { return conversationRequest{o.Conversation}, nil }, decodeDetach),
	}
	maps.Copy(all, sessionCodecs(c))
	return all
}

type dissolveRequest struct {
	Conversation int64  `json:"conversation_id"`
	Summary      string `json:"summary_id"`
	Purge        bool   `json:"purge,omitempty"`
	Budget       int64  `json:"budget,omitempty"`
	Force        bool   `json:"force,omitempty"` // Of earlier versions; not used.
}

type repairRequest struct {
	Conversation int64               `json:"conversation_id,omitempty"`
	All          bool                `json:"all,omitempty"`
	Faults       []integrity.FaultID `json:"faults,omitempty"`
	Findings     []string            `json:"findings,omitempty"`
	Summaries    []string            `json:"summaries,omitempty"`
	Skip         map[string]bool     `json:"skip,omitempty"`
	Choices      map[string]string   `json:"choices,omitempty"`
	Force        bool                `json:"force,omitempty"` // Of earlier versions; not used.
}

// encodeRepair has no request where texts were made: a model would be asked again.
func encodeRepair(o *repair.Op, p ops.Plan) (any, error) {
	if len(o.Texts)+len(o.Attempts)+p.Impact.ModelCalls > 0 || slices.ContainsFunc(p.Texts, func(t ops.Text) bool { return t.Made }) {
		return nil, nil
	}
	return repairRequest{o.Conversation, o.All, o.Faults, o.Findings, o.Summaries, o.Skip, o.Choices, false}, nil
}

func decodeRepair(c *cli.Invocation, r repairRequest) (ops.Op, error) {
	return &repair.Op{
		Conversation: r.Conversation, All: r.All, Faults: r.Faults, Findings: r.Findings, Summaries: r.Summaries, Skip: r.Skip, Choices: r.Choices,
		FilesDir: c.Locations.FilesDir,
		Limits:   integrity.LimitsOf(c.HostSettings(nil).Settings),
	}, nil
}

type conversationRequest struct {
	Conversation int64 `json:"conversation_id"`
}

type renameRequest struct {
	Conversation int64  `json:"conversation_id"`
	Key          string `json:"session_key"`
	Family       bool   `json:"family,omitempty"`
	Force        bool   `json:"force,omitempty"`
}

func encodeRename(o *sessionkey.Rename, _ ops.Plan) (any, error) {
	return renameRequest{o.Conversation, o.Key, o.Family, o.Force}, nil
}

func decodeRename(c *cli.Invocation, r renameRequest) (ops.Op, error) {
	return &sessionkey.Rename{Conversation: r.Conversation, Key: r.Key, Family: r.Family, Force: r.Force, Host: sessionkey.FindHost(c.Locations)}, nil
}

type moveRequest struct {
	Conversation int64 `json:"conversation_id"`
	To           int64 `json:"to"`
}

// encodeMove has no request where messages are copied: they get ids that are made up.
func encodeMove(o *sessionkey.Move, _ ops.Plan) (any, error) {
	if o.Messages != nil {
		return nil, nil
	}
	return moveRequest{o.Conversation, o.To}, nil
}

func decodeMove(c *cli.Invocation, r moveRequest) (ops.Op, error) {
	return &sessionkey.Move{Conversation: r.Conversation, To: r.To, Host: sessionkey.FindHost(c.Locations)}, nil
}

type archiveRequest struct {
	Conversations []int64 `json:"conversations"`
	Cause         string  `json:"cause,omitempty"`
}

func encodeArchive(o *sessionkey.Archive, _ ops.Plan) (any, error) {
	return archiveRequest{o.Conversations, o.Cause}, nil
}

func decodeArchive(c *cli.Invocation, r archiveRequest) (ops.Op, error) {
	if r.Cause != "" && !slices.Contains(sessionkey.Causes, r.Cause) {
		return nil, fmt.Errorf("%.40q is no cause of an archive", r.Cause)
	}
	return &sessionkey.Archive{Conversations: r.Conversations, Cause: r.Cause, Host: sessionkey.FindHost(c.Locations)}, nil
}

func decodeUnarchive(c *cli.Invocation, r conversationRequest) (ops.Op, error) {
	return &sessionkey.Unarchive{Conversation: r.Conversation, Host: sessionkey.FindHost(c.Locations)}, nil
}

func decodeDetach(_ *cli.Invocation, r conversationRequest) (ops.Op, error) {
	return &sessionkey.Detach{Conversation: r.Conversation}, nil
}
