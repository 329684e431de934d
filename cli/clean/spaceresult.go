package clean

import (
	"lcm-tui/cli"
	"lcm-tui/ops/space"
)

// spaceResult is the result of space.
type spaceResult struct {
	Path string `json:"path"`
	// FileBytes is the size of the file, AfterBytes what it will be once its free space is given
	// back. Estimated says that pages couldn't be counted.
	FileBytes  int64         `json:"file_bytes"`
	AfterBytes int64         `json:"after_bytes"`
	Estimated  bool          `json:"estimated"`
	WALBytes   int64         `json:"wal_bytes"`
	FreeBytes  int64         `json:"free_bytes"`
	PageSize   int64         `json:"page_size"`
	AutoVacuum string        `json:"auto_vacuum"`
	Objects    []spaceObject `json:"objects"`
	Copies     spaceCopies   `json:"copies"`
	Beside     spaceBeside   `json:"beside"`
	Levers     []spaceLever  `json:"levers"`
	By         string        `json:"by"`
	Groups     []spaceGroup  `json:"groups"`
	cli.NextPage
	cli.WarningList

	limited  bool // The user said how many groups are listed.
	anchored bool // The file is of a host of 1.0, which decides by anchors.
	isServer bool
}

// spaceObject is a table or an index.
type spaceObject struct {
	Name         string `json:"name"`
	Table        string `json:"table"`
	Kind         string `json:"kind"`
	Rows         int64  `json:"rows"`
	Bytes        int64  `json:"bytes"`
	AfterBytes   int64  `json:"after_bytes"`
	PayloadBytes int64  `json:"payload_bytes"`
	UnusedBytes  int64  `json:"unused_bytes"`
}

// spaceCopies are the bytes of the copies that each text of a message has.
type spaceCopies struct {
	Messages int64 `json:"messages_content"`
	Parts    int64 `json:"parts_text_content"`
	Raw      int64 `json:"parts_metadata_raw"`
	Search   int64 `json:"messages_fts_content"`
}

// spaceBeside is what lies beside the database.
type spaceBeside struct {
	LargeFiles spaceFiles `json:"large_files"`
	Unnamed    spaceFiles `json:"files_without_row"`
	Backups    spaceFiles `json:"backups"`
	Trash      spaceFiles `json:"trash"`
	Cache      spaceFiles `json:"cache"`
	Leftovers  spaceFiles `json:"leftovers"`
	Paths      []string   `json:"leftover_paths,omitempty"`
}

// spaceFiles is a number of files and their bytes.
type spaceFiles struct {
	Files int64 `json:"files"`
	Bytes int64 `json:"bytes"`
}

// spaceLever is what a command would give back.
type spaceLever struct {
	Verb  string `json:"verb"`
	Bytes int64  `json:"bytes"`
	Rows  int64  `json:"rows"`
	// Refused are the conversations that would stay as they are.
	Refused []spaceRefusal `json:"refused,omitempty"`
}

// spaceRefusal is why conversations stay as they are.
type spaceRefusal struct {
	Reason        string  `json:"reason"`
	Conversations []int64 `json:"conversation_ids"`
}

// spaceGroup is a part of the file.
type spaceGroup struct {
	Name         *string      `json:"name"`
	Conversation *int64       `json:"conversation_id,omitempty"`
	Archived     *bool        `json:"archived,omitempty"`
	Rows         int64        `json:"rows"`
	Bytes        int64        `json:"bytes"`
	AfterBytes   *int64       `json:"after_bytes,omitempty"`
	Tables       []spaceTable `json:"tables"`
}

// spaceTable is a table's share of a group; of a table it is an object.
type spaceTable struct {
	Name  string `json:"name"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

func newSpaceResult(r *space.Report, by space.By) *spaceResult {
	b := r.Beside
	out := &spaceResult{
		Path: r.Path, FileBytes: r.Bytes, AfterBytes: r.Forecast.After, Estimated: r.Forecast.Estimated, WALBytes: r.WALBytes,
		FreeBytes: r.FreeBytes(), PageSize: r.PageSize, AutoVacuum: r.AutoVacuumName(), By: string(by), isServer: r.IsServer,
		Objects: []spaceObject{}, Levers: []spaceLever{}, Groups: []spaceGroup{},
		Copies: spaceCopies(r.Copies),
		Beside: spaceBeside{spaceFiles(b.Named), spaceFiles(b.Unnamed), spaceFiles(b.Backups), spaceFiles(b.Trash), spaceFiles(b.Cache), spaceFiles(b.Leftovers), b.LeftoverPaths},
	}
	for i := range r.Forecast.Objects {
		o := &r.Forecast.Objects[i]
		out.Objects = append(out.Objects, spaceObject{o.Name, o.Table, string(o.Kind), o.Rows(), o.Before, o.After, o.Payload(), o.Unused()})
	}
	for _, l := range r.Levers {
		lever := spaceLever{Verb: l.Verb, Bytes: l.Bytes, Rows: l.Rows}
		for _, r := range l.Refused {
			lever.Refused = append(lever.Refused, spaceRefusal(r))
		}
		out.Levers = append(out.Levers, lever)
	}
	return out
}

func newSpaceGroup(g space.Group) spaceGroup {
	out := spaceGroup{Name: cli.OrNull(g.Name), Rows: g.Rows, Bytes: g.Bytes, Tables: []spaceTable{}}
	if g.Conversation != 0 {
		out.Conversation, out.Archived = &g.Conversation, &g.Archived
	}
	if g.After > 0 {
		out.AfterBytes = &g.After
	}
	for _, t := range g.Tables {
		out.Tables = append(out.Tables, spaceTable{t.Table, t.Rows, t.Bytes})
	}
	return out
}
