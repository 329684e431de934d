package sessiondb

import (
	"context"
	"time"
)

// SignIns are the sign-ins of an agent to model providers, as the host stored them: JSON,
// empty where there is none. They are secrets.
type SignIns struct {
	Profiles string // {"version":1,"profiles":{…}}, as in auth-profiles.json of older hosts.
	State    string // {"order":…,"lastGood":…}
	Changed  time.Time
}

// SignIns reads the sign-ins of the agent.
func (db *DB) SignIns(ctx context.Context) (s SignIns, err error) {
	for _, t := range []struct {
		table, key, value string
		into              *string
	}{
		{"auth_profile_store", "store_key", "store_json", &s.Profiles},
		{"auth_profile_state", "state_key", "state_json", &s.State},
	} {
		if !db.tables.has(t.table, t.key, t.value) {
			continue
		}
		query := "SELECT " + t.value + ", " + db.tables.column(t.table, "updated_at") + " FROM " + t.table + " WHERE " + t.key + " = 'primary'"
		err := db.each(ctx, query, nil, func(row []any) {
			*t.into = asText(row[0])
			if at := asTime(row[1]); at.After(s.Changed) {
				s.Changed = at
			}
		})
		if err != nil {
			return s, db.wrap("read the sign-ins of", err)
		}
	}
	return s, nil
}
