package commands_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
)

// planCommands are the commands whose answers are plans with changes of contexts. A replica can't know whether a host has the file
// open. So a plan numbers the items of a context above all that it has, as beside a host, and moves items that stay where they are
// in a file that nobody has open. This is allowed to differ, and nothing else of a plan.
var planCommands = []string{"dissolve", "repair"}

// withoutOrdinals returns a plan without the ordinals of context items: what leaves each context and what comes into it stays.
func withoutOrdinals(t *testing.T, answer string) string {
	t.Helper()
	var plan map[string]any
	if json.Unmarshal([]byte(answer), &plan) != nil {
		return answer // An error, or a text for a terminal.
	}
	var rest []any
	moves := map[string]int{}
	for _, c := range listOf(plan["changes"]) {
		change := c.(map[string]any)
		if change["table"] != "context_items" {
			rest = append(rest, c)
			continue
		}
		for side, by := range map[string]int{"before": -1, "after": 1} {
			if item, ok := change[side].(map[string]any); ok {
				moves[fmt.Sprint(item["conversation_id"], item["item_type"], item["message_id"], item["summary_id"])] += by
			}
		}
	}
	maps.DeleteFunc(moves, func(_ string, n int) bool { return n == 0 })
	plan["changes"], plan["context items that leave or come"] = rest, moves
	for _, i := range listOf(plan["items"]) {
		item := i.(map[string]any)
		if rows := slices.DeleteFunc(listOf(item["rows"]), func(row any) bool { return strings.HasPrefix(fmt.Sprint(row), "context_items ") }); len(rows) > 0 {
			item["rows"] = rows
		} else {
			delete(item, "rows")
		}
	}
	text, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// listOf returns a list of JSON, or none.
func listOf(value any) []any {
	list, _ := value.([]any)
	return list
}

// TestARepairPlanOfAReplicaHasTheItemsOfItsFile: what is wrong and what is left open is the same, although other items of contexts move
// there, and records of this program are read there as well.
func TestARepairPlanOfAReplicaHasTheItemsOfItsFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	for _, fault := range []string{"history-repeated", "pending-foreign", "host-double"} {
		path := testdb.Sample(t, faults.Level(fault), fault)
		address := testreplica.Add(t, server, fault, path)
		for _, args := range [][]string{{"repair", "--all", "--json"}, {"history", "--json"}} {
			compareAnswers(t, fault, path, address, args)
		}
		if exit, out, errs := testcli.RunIn(t, map[string]string{"HOME": filepath.Dir(path)}, "--db", address, "repair", "--all", "--json"); exit != 0 || len(listOf(planOf(t, out)["items"])) == 0 {
			t.Errorf("%s: exit %d, a plan without items\n%s\n%s", fault, exit, out, errs)
		}
	}
}

// planOf returns a plan as JSON.
func planOf(t *testing.T, answer string) (plan map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer), &plan); err != nil {
		t.Error(err)
	}
	return plan
}

// TestAPlanOfAReplicaIsAppliedToItsFile, as the refusal of --apply says: its machine gets the plan in a file.
func TestAPlanOfAReplicaIsAppliedToItsFile(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	address := testreplica.Add(t, testreplica.Server(t), "laptop", path)
	plan := filepath.Join(t.TempDir(), "plan.json")
	env := map[string]string{"HOME": t.TempDir()}
	for _, args := range [][]string{
		{"key", "rename", "2", "agent:main:planned", "--force", "--plan-out", plan, "--db", address}, {"plan", "check", plan, "--db", path}, {"apply", plan, "--apply", "--db", path},
	} {
		if exit, out, errs := testcli.RunIn(t, env, args...); exit != 0 {
			t.Fatalf("%v: exit %d: %s%s", args, exit, out, errs)
		}
	}
}
