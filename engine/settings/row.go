package settings

import (
	"encoding/json"

	"lcm-tui/engine/compact"
)

// kind is how a value is written.
type kind int

const (
	integer kind = iota
	number
	boolean
	text
	list
	zone
	rules  // The host's exceptions by model and session.
	models // A list of models, each provider/model or an object of both.
)

// row is one setting: what it's called, how it's written, and what it does.
type row struct {
	name string
	env  []string // In the order in which they are asked.
	also []string // Other names in the host's configuration, asked after its own.
	kind kind
	// least and most hold if most isn't 0.
	least, most float64
	preset      any // nil is not set, if compact has no default of the name.
	about       string
}

const unlimited = 1 << 53 // More is no whole number in JavaScript.

// rows are in the order in which they are shown.
var rows = []row{
	{name: "contextThreshold", env: []string{"LCM_CONTEXT_THRESHOLD"}, kind: number, least: 0, most: 1, about: "the share of the budget above which a conversation is compacted"},
	{name: "contextThresholdOverrides", kind: rules, about: "exceptions by session, model and its window, the first that holds; compact goes by them as far as the host has noted the model"},
	{name: "freshTailCount", env: []string{"LCM_FRESH_TAIL_COUNT"}, least: 0, most: unlimited, about: "how many of the newest messages are never compacted"},
	{name: "freshTailMaxTokens", env: []string{"LCM_FRESH_TAIL_MAX_TOKENS"}, least: 0, most: unlimited, about: "the most tokens that those newest messages may have"},
	{name: "leafChunkTokens", env: []string{"LCM_LEAF_CHUNK_TOKENS"}, least: 1, most: unlimited, about: "the most tokens of messages that go into one summary"},
	{name: "leafTargetTokens", env: []string{"LCM_LEAF_TARGET_TOKENS"}, least: 1, most: unlimited, about: "the size that a summary of messages should have"},
	{name: "condensedTargetTokens", env: []string{"LCM_CONDENSED_TARGET_TOKENS"}, least: 1, most: unlimited, about: "the size that a summary of summaries should have"},
	{name: "leafMinFanout", env: []string{"LCM_LEAF_MIN_FANOUT"}, least: 2, most: unlimited, about: "the least summaries of messages that are condensed into one"},
	{name: "condensedMinFanout", env: []string{"LCM_CONDENSED_MIN_FANOUT"}, least: 2, most: unlimited, about: "the least condensed summaries that are condensed again"},
	{name: "condensedMinFanoutHard", env: []string{"LCM_CONDENSED_MIN_FANOUT_HARD"}, least: 2, most: unlimited, about: "the same when room is short"},
	{name: "sweepMaxDepth", env: []string{"LCM_SWEEP_MAX_DEPTH", "LCM_INCREMENTAL_MAX_DEPTH"}, also: []string{"incrementalMaxDepth"}, least: -1, most: unlimited, about: "the depth below which summaries are condensed; -1 is any"},
	{name: "incrementalMaxDepth", env: []string{"LCM_INCREMENTAL_MAX_DEPTH"}, least: -1, most: unlimited, about: "stands in for sweepMaxDepth where that is not set"},
	{name: "summaryPrefixTargetTokens", env: []string{"LCM_SUMMARY_PREFIX_TARGET_TOKENS"}, least: 0, most: unlimited, about: "condense while the summaries before the newest messages exceed it; not set, it follows from the threshold"},
	{name: "maxSweepIterations", env: []string{"LCM_MAX_SWEEP_ITERATIONS"}, least: 1, most: unlimited, about: "the most summaries that one sweep makes"},
	{name: "sweepDeadlineMs", env: []string{"LCM_SWEEP_DEADLINE_MS"}, least: 1, most: unlimited, about: "milliseconds after which a sweep begins no further summary"},
	{name: "compactUntilUnderDeadlineMs", env: []string{"LCM_COMPACT_UNTIL_UNDER_DEADLINE_MS"}, least: 1, most: unlimited, about: "the same for compacting to a budget"},
	{name: "summaryMaxOverageFactor", env: []string{"LCM_SUMMARY_MAX_OVERAGE_FACTOR"}, kind: number, least: 1, most: unlimited, about: "a summary is cut when it exceeds its size so many times"},
	{name: "fallbackMaxTokens", env: []string{"LCM_FALLBACK_MAX_TOKENS"}, least: 64, most: unlimited, about: "the size of what stands for a summary that no model made"},
	{name: "customInstructions", env: []string{"LCM_CUSTOM_INSTRUCTIONS"}, kind: text, about: "instructions for models that are added to the prompt"},
	{name: "stripInjectedContextTags", env: []string{"LCM_STRIP_INJECTED_CONTEXT_TAGS"}, kind: list, about: "blocks with these tags are left out of what is summarized"},
	{name: "timezone", env: []string{"TZ"}, kind: zone, about: "the zone of times in prompts and on screens; not set, the system's"},

	{name: "fallbackProviders", env: []string{"LCM_FALLBACK_PROVIDERS"}, kind: models, preset: []string{}, about: "who is asked, in order, where the summary model fails; not where flags name a model"},
	{name: "summaryTimeoutMs", env: []string{"LCM_TUI_SUMMARY_TIMEOUT_MS", "LCM_SUMMARY_TIMEOUT_MS"}, least: 1, most: unlimited, preset: int64(60_000), about: "milliseconds that one call of a model may take"},
	{name: "enableSummaryThinking", env: []string{"LCM_ENABLE_SUMMARY_THINKING"}, kind: boolean, preset: true, about: "gives models 2,048 tokens more, to reason with"},

	{name: "maxAssemblyTokenBudget", env: []string{"LCM_MAX_ASSEMBLY_TOKEN_BUDGET"}, least: 1000, most: unlimited, about: "the most tokens of what a model is shown, whatever its window"},
	{name: "stubLargeToolPayloads", env: []string{"LCM_STUB_LARGE_TOOL_PAYLOADS"}, kind: boolean, preset: false, about: "shows older large tool results to a model as references"},
	{name: "promptAwareEviction", env: []string{"LCM_PROMPT_AWARE_EVICTION_ENABLED"}, kind: boolean, preset: false, about: "keeps what resembles the newest prompt when room is short"},
	{name: "largeFileThresholdTokens", env: []string{"LCM_LARGE_FILE_TOKEN_THRESHOLD"}, also: []string{"largeFileTokenThreshold"}, least: 1000, most: unlimited, preset: int64(25_000), about: "payloads of so many tokens and more are moved out of messages into files"},
	{name: "maxExpandTokens", env: []string{"LCM_MAX_EXPAND_TOKENS"}, least: 1, most: unlimited, preset: int64(4000), about: "the most tokens that expanding a summary gives"},
	{name: "expansionProvider", env: []string{"LCM_EXPANSION_PROVIDER"}, kind: text, about: "who answers questions, where expansionModel names no provider"},
	{name: "expansionModel", env: []string{"LCM_EXPANSION_MODEL"}, kind: text, about: "the model that answers questions; not set, the one that makes summaries"},
	{name: "delegationTimeoutMs", env: []string{"LCM_DELEGATION_TIMEOUT_MS"}, least: 1, most: unlimited, preset: int64(120_000), about: "milliseconds that a model may work on a question"},
}

// defaults returns compact's own, by the names of the host's configuration, so that
// they stand in one place.
func defaults() map[string]any {
	b, err := json.Marshal(compact.Defaults())
	if err != nil {
		panic(err) // A struct of numbers and texts.
	}
	all := map[string]any{}
	if err := json.Unmarshal(b, &all); err != nil {
		panic(err)
	}
	return all
}
