package translate

import (
	"encoding/json"
	"strings"
)

// call reads the arguments of a function, and returns its call in PostgreSQL.
func (p *parser) call(name string) expression {
	p.need("(")
	if p.takeSymbol("*") {
		p.need(")")
		if name != "count" {
			p.fail("%s(*)", name)
		}
		return p.aggregate("count(*)")
	}
	distinct := ""
	if p.takeWords("DISTINCT") {
		distinct = "DISTINCT "
	}
	var args []expression
	for !p.isSymbol(")") {
		args = append(args, p.expression())
		if !p.takeSymbol(",") {
			break
		}
	}
	p.need(")")
	if f, ok := aggregates[name]; ok && (len(args) == 1 || name == "group_concat") {
		return p.aggregate(f(distinct, args))
	}
	if name == "row_number" && len(args) == 0 {
		return p.aggregate("row_number()")
	}
	f, ok := functions[name]
	if !ok || distinct != "" {
		p.fail("the function %s", name)
	}
	if len(args) < f.least || len(args) > f.most {
		p.fail("%d arguments of %s", len(args), name)
	}
	if f.make == nil {
		return p.coalesce(args)
	}
	return f.make(args)
}

// aggregate reads what may follow an aggregate.
func (p *parser) aggregate(text string) expression {
	p.aggregates++
	if p.takeWords("FILTER") {
		p.need("(")
		p.needWord("WHERE")
		text += " FILTER (WHERE " + p.expression().condition() + ")"
		p.need(")")
	}
	if p.takeWords("OVER") {
		p.need("(")
		over := ""
		if p.takeWords("PARTITION", "BY") {
			over = "PARTITION BY " + strings.Join(p.values(), ", ")
		}
		if p.takeWords("ORDER", "BY") {
			over = strings.TrimSpace(over + " ORDER BY " + queries{p}.order(ordered{}))
		}
		p.need(")")
		text += " OVER (" + over + ")"
	}
	return valueOf(text)
}

// aggregates are the functions of many rows.
var aggregates = map[string]func(distinct string, args []expression) string{
	"count": func(distinct string, args []expression) string { return "count(" + distinct + args[0].value() + ")" },
	"sum":   func(distinct string, args []expression) string { return "sum(" + distinct + args[0].value() + ")" },
	"min":   func(_ string, args []expression) string { return "min(" + args[0].value() + ")" },
	"max":   func(_ string, args []expression) string { return "max(" + args[0].value() + ")" },
	"avg": func(distinct string, args []expression) string {
		return "CAST(avg(" + distinct + args[0].value() + ") AS double precision)"
	},
	"total": func(distinct string, args []expression) string {
		return "CAST(coalesce(sum(" + distinct + args[0].value() + "), 0) AS double precision)"
	},
	"group_concat": func(distinct string, args []expression) string {
		between := "','"
		if len(args) > 1 {
			between = args[1].asText()
		}
		return "string_agg(" + distinct + args[0].asText() + ", " + between + ")"
	},
}

// function is a function of one row: how many arguments it has, and its call.
type function struct {
	least, most int
	make        func(args []expression) expression // Nil is coalesce.
}

const many = 100

// functions are those of one row, by their names in SQLite.
var functions map[string]function

func init() { // A table that names functions which use it would be a cycle.
	functions = map[string]function{
		"coalesce":     {2, many, nil},
		"ifnull":       {2, 2, nil},
		"nullif":       {2, 2, plain("nullif")},
		"abs":          {1, 1, plain("abs")},
		"round":        {1, 1, plain("round")},
		"max":          {2, many, extreme("greatest")},
		"min":          {2, many, extreme("least")},
		"length":       {1, 1, length},
		"octet_length": {1, 1, byteLength},
		"substr":       {2, 3, substring},
		"instr": {2, 2, func(a []expression) expression {
			return valueOf("CAST(strpos(" + a[0].asText() + ", " + a[1].asText() + ") AS bigint)")
		}},
		"lower":        {1, 1, func(a []expression) expression { return valueOf("lower(" + a[0].asText() + ` COLLATE "C")`) }},
		"upper":        {1, 1, func(a []expression) expression { return valueOf("upper(" + a[0].asText() + ` COLLATE "C")`) }},
		"trim":         {1, 2, texts("btrim")},
		"rtrim":        {1, 2, texts("rtrim")},
		"ltrim":        {1, 2, texts("ltrim")},
		"replace":      {3, 3, texts("replace")},
		"char":         {1, many, characters},
		"typeof":       {1, 1, typeOf},
		"julianday":    {1, 1, julianDay},
		"json_quote":   {1, 1, func(a []expression) expression { return valueOf("CAST(to_json(" + a[0].asText() + ") AS text)") }},
		"json_valid":   {1, 1, func(a []expression) expression { return conditionOf("lcm.json_valid(" + a[0].asText() + ")") }},
		"json_extract": {2, 2, jsonCell},
		"json_type":    {1, 2, jsonType},
		"json": {1, 1, func(a []expression) expression {
			return expression{text: "CAST(" + a[0].asText() + " AS json)", kind: jsonKind}
		}},
		"json_set":    {3, many, jsonSet},
		"json_remove": {2, 2, texts("home.json_remove")},
		"json_patch":  {2, 2, texts("home.json_patch")},
	}
}

func (p *parser) coalesce(args []expression) expression {
	all, k := p.alike(args)
	last := args[len(args)-1].kind
	return expression{text: "coalesce(" + strings.Join(all, ", ") + ")", kind: k, parts: all, isFilled: last == numberKind || last == textKind}
}

// jsonCell reads what a JSON has at a path.
func jsonCell(args []expression) expression {
	return expression{text: "lcm.json_cell(" + readableJSON(args[0].asText()) + ", " + args[1].asText() + ")", kind: cellKind}
}

// readableJSON returns a JSON without escapes that stand for no character of PostgreSQL: NUL, and halves of surrogate pairs, which
// JavaScript leaves where it cuts a text. The server's functions fail on any of them, wherever it stands.
func readableJSON(text string) string {
	const bad = `\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})`
	const pair = `\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}` // The longest match is taken, so that it stays.
	return "(SELECT CASE WHEN r.t ~ '" + bad + `' THEN regexp_replace(r.t, '(?<!\\)((?:\\\\)*)(?:(` + pair + ")|" + bad + `)', '\1\2', 'g') ELSE r.t END FROM (SELECT ` + text + " AS t) AS r)"
}

// jsonSet puts values into a JSON, each at a path.
func jsonSet(args []expression) expression {
	out := args[0].asText()
	for i := 1; i+1 < len(args); i += 2 {
		value := "to_json(" + args[i+1].value() + ")"
		switch args[i+1].kind {
		case jsonKind:
			value = args[i+1].text
		case parameterKind, textKind:
			value = "to_json(CAST(" + args[i+1].value() + " AS text))"
		}
		out = "home.json_set(" + out + ", " + args[i].asText() + ", " + value + ")"
	}
	return valueOf(out)
}

// plain calls a function that both have.
func plain(name string) func([]expression) expression {
	return func(args []expression) expression {
		var all []string
		for _, a := range args {
			all = append(all, a.value())
		}
		return valueOf(name + "(" + strings.Join(all, ", ") + ")")
	}
}

// texts calls a function of texts that both have.
func texts(name string) func([]expression) expression {
	return func(args []expression) expression {
		var all []string
		for _, a := range args {
			all = append(all, a.asText())
		}
		return valueOf(name + "(" + strings.Join(all, ", ") + ")")
	}
}

// extreme calls the greatest or least of values, which is NULL for SQLite where one of them is.
func extreme(name string) func([]expression) expression {
	return func(args []expression) expression {
		var all, missing []string
		for _, a := range args {
			all = append(all, a.value())
			if a.kind != numberKind && !a.isFilled {
				missing = append(missing, a.value()+" IS NULL")
			}
		}
		out := name + "(" + strings.Join(all, ", ") + ")"
		if len(missing) == 0 {
			return valueOf(out)
		}
		return valueOf("(CASE WHEN " + strings.Join(missing, " OR ") + " THEN NULL ELSE " + out + " END)")
	}
}

func length(args []expression) expression {
	if args[0].isBytes() {
		return byteLength(args)
	}
	return valueOf("CAST(length(" + args[0].asText() + ") AS bigint)")
}

func byteLength(args []expression) expression {
	if args[0].kind == bytesKind {
		return valueOf("CAST(octet_length(" + args[0].text + ") AS bigint)")
	}
	switch {
	case args[0].column != "" && args[0].kind == blobKind:
		return valueOf("CAST(" + placeOf("E", args[0]) + " AS bigint)")
	case args[0].column != "":
		return valueOf("CAST(" + placeOf("L", args[0]) + " AS bigint)")
	case args[0].kind == blobKind:
		args = []expression{valueOf(args[0].text)}
	}
	return valueOf("CAST(octet_length(" + args[0].asText() + ") AS bigint)")
}

// substring of a BLOB counts bytes, of a text characters.
func substring(args []expression) expression {
	of := args[0].asText()
	if args[0].isBytes() {
		of = args[0].value()
	}
	start := "CAST(" + args[1].value() + " AS integer)"
	if args[1].kind != numberKind { // SQLite counts from the end where it is negative.
		start = "(CASE WHEN " + start + " < 0 THEN length(" + of + ") + 1 + " + start + " ELSE " + start + " END)"
	}
	out := "substr(" + of + ", " + start
	for _, a := range args[2:] {
		out += ", CAST(" + a.value() + " AS integer)"
	}
	if args[0].isBytes() {
		return expression{text: out + ")", kind: bytesKind}
	}
	return valueOf(out + ")")
}

func characters(args []expression) expression {
	var all []string
	for _, a := range args {
		if a.text != "0" { // No text of PostgreSQL has that character.
			all = append(all, "chr(CAST("+a.value()+" AS integer))")
		}
	}
	return valueOf("(" + strings.Join(append(all, "''"), " || ") + ")")
}

func typeOf(args []expression) expression {
	v := args[0].value()
	if args[0].kind == blobKind {
		return valueOf("(CASE WHEN " + v + " IS NULL THEN 'null' ELSE 'blob' END)")
	}
	return valueOf("(CASE WHEN " + v + " IS NULL THEN 'null' ELSE CASE CAST(pg_typeof(" + v +
		") AS text) WHEN 'bigint' THEN 'integer' WHEN 'integer' THEN 'integer' WHEN 'numeric' THEN 'integer' WHEN 'double precision' THEN 'real' WHEN 'bytea' THEN 'blob' ELSE 'text' END END)")
}

func jsonType(args []expression) expression {
	path := "'$'"
	if len(args) > 1 {
		path = args[1].asText()
	}
	return valueOf("lcm.json_kind(" + readableJSON(args[0].asText()) + ", " + path + ")")
}

// ColumnsOf begins the name by which Tables is asked for the columns of a table: pragma_table_info(TABLE).
const ColumnsOf = "pragma_table_info"

// ForeignKeysOf is the name by which Tables is asked for all foreign keys, with the table of each in a column "of".
const ForeignKeysOf = "pragma_foreign_key_list"

// tableFunction reads a function in a FROM: json_each of a list, or the columns of a table.
func (p *parser) tableFunction(name string) string {
	if t := p.peek(); strings.EqualFold(name, ColumnsOf) && (t.class == text || t.class == mark) {
		table := strings.ReplaceAll(strings.Trim(t.text, "'"), "''", "'")
		p.next()
		p.need(")")
		if t.class == mark {
			p.fail("%s of a parameter", name)
		}
		return queries{p}.table(ColumnsOf+"("+table+")").Query + " AS " + queries{p}.aliasOr(quote(name))
	}
	e := p.expression()
	p.need(")")
	if strings.EqualFold(name, ForeignKeysOf) {
		keys := queries{p}.table(ForeignKeysOf).Query
		return "LATERAL (SELECT * FROM " + keys + ` AS keys WHERE keys."of" = ` + e.asText() + ") AS " + queries{p}.aliasOr(quote(name))
	}
	if !strings.EqualFold(name, "json_each") {
		p.fail("the function %s", name)
	}
	value := `CAST(list.value AS text) COLLATE "C"`
	if e.kind == parameterKind && isListOfNumbers(p.args[e.number-1]) {
		value = "CAST(list.value AS bigint)"
	}
	lateral, list := "", e.value()
	if e.kind != parameterKind {
		lateral = "LATERAL " // The list may be in a table that stands before.
	}
	if e.kind != parameterKind || hasEscapes(p.args[e.number-1]) {
		list = readableJSON(e.asText())
	}
	return lateral + "(SELECT " + value + ` AS "value", list.place - 1 AS "key" FROM json_array_elements_text(CAST(` + list +
		" AS json)) WITH ORDINALITY AS list(value, place)) AS " + queries{p}.aliasOr(quote(name))
}

// hasEscapes reports whether a parameter may be a JSON with escapes that the server's functions fail on.
func hasEscapes(arg any) bool {
	list, ok := arg.(string)
	return ok && (strings.Contains(list, `\u0000`) || strings.Contains(strings.ToLower(list), `\ud`))
}

// isListOfNumbers reports whether a parameter is a JSON list of whole numbers, and of nothing else.
func isListOfNumbers(arg any) bool {
	list, ok := arg.(string)
	if !ok {
		return false
	}
	var all []int64
	return json.Unmarshal([]byte(list), &all) == nil && len(all) > 0
}
