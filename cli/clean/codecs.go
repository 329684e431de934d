package clean

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"lcm-tui/cli"
	"lcm-tui/engine/redact"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	sweep "lcm-tui/ops/secrets"
)

// cleanCodecs read and write the requests of plan files. Folders and settings are those of this run: a
// file doesn't say them.
func codecs(c *cli.Invocation) planfile.Codecs {
	return planfile.Codecs{
		"prune":      cli.NewCodec(c, encodePrune, decodePrune),
		sweep.OpName: cli.NewCodec(c, encodeSecrets, decodeSecrets),
	}
}

type pruneRequest struct {
	Verb      prune.Verb        `json:"verb"`
	Selector  selector.Selector `json:"selector"`
	Uncovered bool              `json:"uncovered,omitempty"`
	KeepUser  bool              `json:"keep_user,omitempty"`
	Payload   int64             `json:"at_least,omitempty"`
	KeepFiles bool              `json:"keep_files,omitempty"`
	Move      bool              `json:"externalise,omitempty"`
	// FilesDir is the folder of prune files, which has to be that of the host where it is applied.
	FilesDir string `json:"files_dir,omitempty"`
	// Matching is what is searched, and which texts that found.
	Matching *matchingRequest `json:"matching,omitempty"`
}

func encodePrune(op ops.Op, p ops.Plan) (any, error) {
	switch o := op.(type) {
	case *prune.Op:
		return pruneRequest{
			Verb: o.Verb, Selector: o.Selector, Uncovered: o.Uncovered, KeepUser: o.KeepUser, Payload: o.Payload, KeepFiles: o.FilesFolder == "", Move: o.Externalise,
			Matching: requestOf(o.Matching, p),
		}, nil
	case *prune.FilesOp:
		return pruneRequest{Verb: filesVerb, FilesDir: o.Folder}, nil
	case *prune.BatchesOp:
		return pruneRequest{Verb: batchesVerb, Selector: selector.Selector{OlderThan: o.Before}}, nil
	case *prune.HistoryOp:
		return pruneRequest{Verb: historyVerb, Selector: selector.Selector{OlderThan: o.Before}}, nil
	}
	return nil, fmt.Errorf("prune has no operation %T", op)
}

func decodePrune(c *cli.Invocation, r pruneRequest) (ops.Op, error) {
	switch folder := planfile.FilesFolder(c.DB, c.Locations.FilesDir); {
	case r.Verb == filesVerb && r.FilesDir != folder:
		return nil, fmt.Errorf("it is about files in %s, and the files folder is %s", r.FilesDir, folder)
	case r.Verb == filesVerb:
		return &prune.FilesOp{Folder: r.FilesDir}, nil
	case r.Verb == batchesVerb:
		return &prune.BatchesOp{Before: r.Selector.OlderThan}, nil
	case r.Verb == historyVerb && r.Selector.OlderThan.IsZero():
		return nil, errors.New("it doesn't say how old the records are")
	case r.Verb == historyVerb:
		return &prune.HistoryOp{Before: r.Selector.OlderThan}, nil
	case !slices.Contains(prune.Verbs, r.Verb):
		return nil, fmt.Errorf("there is no prune %.40q", r.Verb)
	}
	o := &prune.Op{Verb: r.Verb, Selector: r.Selector, Uncovered: r.Uncovered, KeepUser: r.KeepUser, Externalise: r.Move, Payload: r.Payload, StateFolder: c.Locations.StateDir}
	if r.Matching != nil {
		var err error
		if o.Matching, err = r.Matching.choice(c); err != nil {
			return nil, err
		}
	}
	if !r.KeepFiles {
		o.FilesFolder = prune.FilesFolder(c.DB, c.Locations.FilesDir)
	}
	if o.Externalise && o.FilesFolder == "" {
		return nil, fmt.Errorf("the folder of the large files, %s, isn't beside the database", c.Locations.FilesDir)
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

func decodeSecrets(c *cli.Invocation, r secretsRequest) (ops.Op, error) {
	scanner, err := (&secretsFlags{}).scanner(c)
	if err != nil {
		return nil, err
	}
	o := &sweep.Op{
		Request: sweep.Request{Scanner: scanner, Conversations: r.Conversations, Classes: r.Classes, Rules: r.Rules, Since: r.Since},
		Choose:  r.Choose, KeepBackup: r.KeepBackup, ForgetHashes: r.ForgetHashes, CacheFolders: cacheFolders(c), StateFiles: stateFiles(c),
		StateFolder: c.Locations.StateDir, AgentFolders: agentFolders(c),
	}
	if r.Files {
		o.FilesDir = c.Locations.FilesDir
	}
	o.Ignored, err = cli.SecretConfig(c.Sys.Env).IgnoredIn(c.DB.Path())
	return o, err
}
