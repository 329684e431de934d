package salvage

import (
	"context"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/pages"
)

// object is a row of the schema: a table, an index, a view, a trigger.
type object struct {
	kind, name, sql string
	root            uint32 // The page where it begins; 0 where nothing tells.
}

func (o object) virtual() bool { return strings.HasPrefix(strings.ToUpper(o.sql), "CREATE VIRTUAL") }

// schemaPage is where the schema itself begins.
const schemaPage = 1

// objects reads the schema of a damaged file. Objects that are lost come from the newest known
// version; from says so.
func objects(ctx context.Context, source *pages.File, seen map[uint32]bool) (out []object, from string, err error) {
	have := map[string]bool{}
	take := func(r pages.Row) error {
		if o, ok := schemaRow(r); ok && !have[o.name] {
			have[o.name] = true
			out = append(out, o)
		}
		return ctx.Err()
	}
	holes, err := source.Walk(schemaPage, seen, take)
	if err != nil {
		return nil, "", err
	}
	if len(holes) > 0 {
		if err := unreferencedSchema(source, seen, take); err != nil {
			return nil, "", err
		}
	}
	if len(holes) == 0 {
		return out, "the file's own", nil
	}
	from = "the newest known one, since the file's own is lost"
	if len(out) > 0 {
		from = "the file's own, and the newest known one for tables that are lost"
	}
	for _, o := range newestSchema() {
		if !have[o.name] && !(o.name == bootstrapTable && have[data.PendingBatchTable]) {
			out = append(out, o)
		}
	}
	return out, from, nil
}

// bootstrapTable isn't made by hosts of the 1.0 generation, which have data.PendingBatchTable. It
// would tell that an older host wrote the file first.
const bootstrapTable = "conversation_bootstrap_state"

// unreferencedSchema reads rows of the schema from pages that no other page refers to.
func unreferencedSchema(source *pages.File, seen map[uint32]bool, take func(pages.Row) error) error {
	return source.Unreferenced(seen, func(rows []pages.Row) (bool, error) {
		for _, r := range rows {
			if _, ok := schemaRow(r); !ok {
				return false, nil
			}
		}
		for _, r := range rows {
			if err := take(r); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// schemaRow reads a row of sqlite_master.
func schemaRow(r pages.Row) (o object, ok bool) {
	if len(r.Values) != 5 {
		return o, false
	}
	var isText [5]bool
	for i, to := range []*string{&o.kind, &o.name, nil, nil, &o.sql} {
		if to != nil {
			*to, isText[i] = r.Values[i].(string)
		}
	}
	root, isNumber := r.Values[3].(int64)
	switch o.kind {
	case "table", "index", "view", "trigger":
	default:
		return o, false
	}
	if isNumber && root > 0 && root < 1<<32 {
		o.root = uint32(root)
	}
	return o, isText[1] && (r.Values[4] == nil || isText[4]) && (isNumber || r.Values[3] == nil)
}

// newestSchema returns the tables and indexes of the newest known version.
func newestSchema() (out []object) {
	for _, o := range data.NewestSchema() {
		out = append(out, object{kind: o.Kind, name: o.Name, sql: o.SQL})
	}
	return out
}
