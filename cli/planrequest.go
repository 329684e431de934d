package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"lcm-tui/engine/integrity"
	"lcm-tui/engine/redact"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/repair"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ops/sessionkey"
)

// codecs read and write the requests of plan files. Folders and settings are those of this run: a
// file doesn't say them.
func (c *invocation) codecs() planfile.Codecs {
	dissolving := codec(
		func(o *dissolve.Op, _ ops.Plan) (any, error) {
			return dissolveRequest{o.Conversation, o.Summary, o.Purge, o.Budget, false}, nil
		},
		func(r dissolveRequest) (ops.Op, error) {
			return &dissolve.Op{Conversation: r.Conversation, Summary: r.Summary, Purge: r.Purge, Budget: r.Budget}, nil
		})
	return planfile.Codecs{
		"dissolve":    dissolving,
		"repair":      codec(encodeRepair, c.decodeRepair),
		"prune":       codec(encodePrune, c.decodePrune),
		sweep.OpName:  codec(encodeSecrets, c.decodeSecrets),
		"key rename":  codec(encodeRename, c.decodeRename),
		"key move":    codec(encodeMove, c.decodeMove),
		"key archive": codec(encodeArchive, c.decodeArchive),
		"key unarchive": codec(func(o *sessionkey.Unarchive, _ ops.Plan) (any, error) {
			return conversationRequest{o.Conversation}, nil
		}, decodeUnarchive),
		"key detach": codec(func(o *sessionkey.Detach, _ ops.Plan) (any, error) { return conversationRequest{o.Conversation}, nil }, decodeDetach),
	}
}

// codec makes a codec of functions on an operation and on its request.
func codec[Op ops.Op, Request any](encode func(Op, ops.Plan) (any, error), decode func(Request) (ops.Op, error)) planfile.Codec {
	return planfile.Codec{
		Encode: func(op ops.Op, p ops.Plan) (any, error) {
			o, ok := op.(Op)
			if !ok {
				return nil, fmt.Errorf("the plan of %s is of another operation", p.Op)
			}
			return encode(o, p)
		},
		Decode: func(request json.RawMessage) (ops.Op, error) {
			var r Request
			if err := planfile.DecodeRequest(request, &r); err != nil {
				return nil, err
			}
			return decode(r)
		},
	}
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

func (c *invocation) decodeRepair(r repairRequest) (ops.Op, error) {
	return &repair.Op{
		Conversation: r.Conversation, All: r.All, Faults: r.Faults, Findings: r.Findings, Summaries: r.Summaries, Skip: r.Skip, Choices: r.Choices,
		FilesDir: c.locations.FilesDir,
		Limits:   integrity.LimitsOf(c.hostSettings(nil).Settings),
	}, nil
}

type pruneRequest struct {
	Verb      prune.Verb        `json:"verb"`
	Selector  selector.Selector `json:"selector"`
	Uncovered bool              `json:"uncovered,omitempty"`
	Payload   int64             `json:"at_least,omitempty"`
	KeepFiles bool              `json:"keep_files,omitempty"`
	Move      bool              `json:"externalise,omitempty"`
	// FilesDir is the folder of prune files, which has to be that of the host where it is applied.
	FilesDir string `json:"files_dir,omitempty"`
}

func encodePrune(op ops.Op, _ ops.Plan) (any, error) {
	switch o := op.(type) {
	case *prune.Op:
		return pruneRequest{Verb: o.Verb, Selector: o.Selector, Uncovered: o.Uncovered, Payload: o.Payload, KeepFiles: o.FilesFolder == "", Move: o.Externalise}, nil
	case *prune.FilesOp:
		return pruneRequest{Verb: filesVerb, FilesDir: o.Folder}, nil
	case *prune.HistoryOp:
		return pruneRequest{Verb: historyVerb, Selector: selector.Selector{OlderThan: o.Before}}, nil
	}
	return nil, fmt.Errorf("prune has no operation %T", op)
}

func (c *invocation) decodePrune(r pruneRequest) (ops.Op, error) {
	switch folder := planfile.FilesFolder(c.db, c.locations.FilesDir); {
	case r.Verb == filesVerb && r.FilesDir != folder:
		return nil, fmt.Errorf("it is about files in %s, and the files folder is %s", r.FilesDir, folder)
	case r.Verb == filesVerb:
		return &prune.FilesOp{Folder: r.FilesDir}, nil
	case r.Verb == historyVerb && r.Selector.OlderThan.IsZero():
		return nil, errors.New("it doesn't say how old the records are")
	case r.Verb == historyVerb:
		return &prune.HistoryOp{Before: r.Selector.OlderThan}, nil
	case !slices.Contains(prune.Verbs, r.Verb):
		return nil, fmt.Errorf("there is no prune %.40q", r.Verb)
	}
	o := &prune.Op{Verb: r.Verb, Selector: r.Selector, Uncovered: r.Uncovered, Externalise: r.Move, Payload: r.Payload, StateFolder: c.locations.StateDir}
	if !r.KeepFiles {
		o.FilesFolder = prune.FilesFolder(c.db, c.locations.FilesDir)
	}
	if o.Externalise && o.FilesFolder == "" {
		return nil, fmt.Errorf("the folder of the large files, %s, isn't beside the database", c.locations.FilesDir)
	}
	return o, nil
}

// secretsRequest has the places of the secrets, and no value: they are found again.
type secretsRequest struct {
	Conversations []int64        `json:"conversations,omitempty"`
	Classes       []redact.Class `json:"classes,omitempty"`
	Rules         []string       `json:"rules,omitempty"`
	Since         time.Time      `json:"since,omitzero"`
	Files         bool           `json:"files,omitempty"`
	Choose        []string       `json:"choose"`
	KeepBackup    string         `json:"keep_backup,omitempty"`
	ForgetHashes  bool           `json:"forget_hashes,omitempty"`
	Places        []secretPlace  `json:"places"`
}

type secretPlace struct {
	ID    string `json:"id"`
	Rule  string `json:"rule"`
	N     int    `json:"n"`
	Count int    `json:"count"`
}

func encodeSecrets(o *sweep.Op, _ ops.Plan) (any, error) {
	r := secretsRequest{
		Conversations: o.Conversations, Classes: o.Classes, Rules: o.Rules, Since: o.Since, Files: o.FilesDir != "",
		KeepBackup: o.KeepBackup, ForgetHashes: o.ForgetHashes, Places: []secretPlace{}, Choose: o.Chosen(),
	}
	for _, f := range o.Report().Findings {
		if slices.Contains(r.Choose, fmt.Sprintf("%s#%d", f.Rule, f.Number)) {
			r.Places = append(r.Places, secretPlace{f.ID, f.Rule, f.Number, f.Count})
		}
	}
	return r, nil
}

func (c *invocation) decodeSecrets(r secretsRequest) (ops.Op, error) {
	scanner, err := (&secretsFlags{}).scanner(c)
	if err != nil {
		return nil, err
	}
	o := &sweep.Op{
		Request: sweep.Request{Scanner: scanner, Conversations: r.Conversations, Classes: r.Classes, Rules: r.Rules, Since: r.Since},
		Choose:  r.Choose, KeepBackup: r.KeepBackup, ForgetHashes: r.ForgetHashes, CacheFolders: c.cacheFolders(), StateFiles: c.stateFiles(),
	}
	if r.Files {
		o.FilesDir = c.locations.FilesDir
	}
	o.Ignored, err = readIgnored(c.ignoredFile(), c.db.Path())
	return o, err
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

func (c *invocation) decodeRename(r renameRequest) (ops.Op, error) {
	return &sessionkey.Rename{Conversation: r.Conversation, Key: r.Key, Family: r.Family, Force: r.Force, Host: sessionkey.FindHost(c.locations)}, nil
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

func (c *invocation) decodeMove(r moveRequest) (ops.Op, error) {
	return &sessionkey.Move{Conversation: r.Conversation, To: r.To, Host: sessionkey.FindHost(c.locations)}, nil
}

type archiveRequest struct {
	Conversations []int64 `json:"conversations"`
	Cause         string  `json:"cause,omitempty"`
}

func encodeArchive(o *sessionkey.Archive, _ ops.Plan) (any, error) {
	return archiveRequest{o.Conversations, o.Cause}, nil
}

func (c *invocation) decodeArchive(r archiveRequest) (ops.Op, error) {
	if r.Cause != "" && !slices.Contains(sessionkey.Causes, r.Cause) {
		return nil, fmt.Errorf("%.40q is no cause of an archive", r.Cause)
	}
	return &sessionkey.Archive{Conversations: r.Conversations, Cause: r.Cause, Host: sessionkey.FindHost(c.locations)}, nil
}

func decodeUnarchive(r conversationRequest) (ops.Op, error) {
	return &sessionkey.Unarchive{Conversation: r.Conversation}, nil
}

func decodeDetach(r conversationRequest) (ops.Op, error) {
	return &sessionkey.Detach{Conversation: r.Conversation}, nil
}
