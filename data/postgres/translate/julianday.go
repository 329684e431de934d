package translate

// usualTime is the condition that a text r.t is a time in one of the forms that hosts write. A regular expression takes twenty times as long.
const usualTime = `translate(r.t, '123456789', '000000000') IN ('0000-00-00 00:00:00', '0000-00-00T00:00:00.000Z', '0000-00-00 00:00:00.000', '0000-00-00T00:00:00Z',
		'0000-00-00T00:00:00', '0000-00-00T00:00:00.000', '0000-00-00 00:00:00Z', '0000-00-00 00:00:00.000Z')
	AND substr(r.t, 6, 2) BETWEEN '01' AND '12' AND substr(r.t, 9, 2) BETWEEN '01' AND '31'
	AND substr(r.t, 12, 2) <= '23' AND substr(r.t, 15, 2) <= '59' AND substr(r.t, 18, 2) <= '59'`

// usualDay is the day of such a time.
const usualDay = `2440587.5 + ((make_date(CAST(substr(r.t, 1, 4) AS integer) + 400, CAST(substr(r.t, 6, 2) AS integer), 1) - DATE '2370-01-01' + CAST(substr(r.t, 9, 2) AS integer) - 1) * CAST(86400000 AS bigint)
	+ CAST(substr(r.t, 12, 2) AS integer) * 3600000 + CAST(substr(r.t, 15, 2) AS integer) * 60000
	+ CAST(CAST(rtrim(substr(r.t, 18), 'Z') AS double precision) * 1000 AS integer)) / CAST(86400000 AS double precision)`

// otherDay is the day of any other time, or NULL.
const otherDay = `(CASE WHEN r.t ~ '^\s*\d\d\d\d-' THEN (SELECT CASE WHEN f IS NOT NULL THEN 2440587.5 + CAST(round(CAST(
	(make_date(CAST(f[1] AS integer) + 400, CAST(f[2] AS integer), 1) - DATE '2370-01-01' + CAST(f[3] AS integer) - 1) * 86400.0
	+ coalesce(CAST(f[4] AS integer), 0) * 3600.0 + coalesce(CAST(f[5] AS integer), 0) * 60.0 + coalesce(CAST(f[6] AS numeric), 0)
	- coalesce(CAST(f[8] || '1' AS integer) * (CAST(f[9] AS integer) * 3600.0 + CAST(f[10] AS integer) * 60.0), 0) AS numeric), 3) AS double precision) / 86400.0 END
	FROM (SELECT regexp_match(r.t,
	'^\s*(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:(?:\s+|T\s*)([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?(?:\s*(Z|z)|\s*([+-])(0\d|1[0-4]):([0-5]\d))?)?\s*$') AS f) AS m) END)`

// julianDay reads a time in the forms that SQLite takes; what isn't one is NULL. Days after the last one of a month are in the
// next month, as for SQLite, and there is a year 0, which the server doesn't know: 400 years later the calendar is the same.
func julianDay(args []expression) expression {
	from := ` FROM (SELECT ` + args[0].asText() + ` COLLATE "C" AS t OFFSET 0) AS r)` // Else the server puts it in the place of each r.t.
	e := valueOf("(SELECT CASE WHEN " + usualTime + " THEN " + usualDay + " ELSE " + otherDay + " END" + from)
	e.missing = "(SELECT CASE WHEN " + usualTime + " THEN false ELSE " + otherDay + " IS NULL END" + from
	if a := args[0]; a.kind == valueKind && a.alias != "" && a.column != "" {
		e.missing = "(" + placeOf("T", a) + " AND " + e.missing + ")"
	}
	return e
}
