package settings

// allRows are every setting of every version of the host: those that this program goes by, then the others.
var allRows = append(append([]row{}, rows...), otherRows...)

// otherRows are the settings that this program finds elsewhere, and those that only the host goes by.
var otherRows = []row{
	{name: "dbPath", env: []string{"LCM_DATABASE_PATH"}, also: []string{"databasePath"}, kind: text, use: usedApart, since: "0.1.2", about: "the database"},
	{name: "databasePath", env: []string{"LCM_DATABASE_PATH"}, kind: text, use: secondName, since: "0.6.0", about: "stands in for dbPath where that is not set"},
	{name: "largeFilesDir", env: []string{"LCM_LARGE_FILES_DIR"}, kind: text, use: usedApart, since: "0.8.1", about: "where large payloads stand that were moved out of messages"},
	{name: "summaryModel", env: []string{"LCM_SUMMARY_MODEL"}, kind: text, use: usedApart, since: "0.3.0", about: "the model that makes summaries"},
	{name: "summaryProvider", env: []string{"LCM_SUMMARY_PROVIDER"}, kind: text, use: usedApart, since: "0.3.0", about: "who makes summaries"},
	{env: []string{"LCM_SUMMARY_BASE_URL"}, kind: text, use: secondName, about: "the address of who makes summaries"},
	{name: "largeFileTokenThreshold", env: []string{"LCM_LARGE_FILE_TOKEN_THRESHOLD"}, least: 1000, most: unlimited, preset: int64(25_000), use: secondName, since: "0.7.0", about: "stands in for largeFileThresholdTokens where that is not set"},

	{name: "enabled", env: []string{"LCM_ENABLED"}, kind: unlessFalse, preset: true, use: hostOnly, since: "0.1.2", about: "whether the plugin works at all"},
	{name: "ignoreSessionPatterns", env: []string{"LCM_IGNORE_SESSION_PATTERNS"}, kind: list, preset: []string{}, since: "0.4.0", about: "session keys of which nothing is stored or handed over; * is anything but a colon, ** anything"},
	{name: "statelessSessionPatterns", env: []string{"LCM_STATELESS_SESSION_PATTERNS"}, kind: list, preset: []string{}, since: "0.4.0", about: "session keys of which nothing is stored, and that may read"},
	{name: "skipStatelessSessions", env: []string{"LCM_SKIP_STATELESS_SESSIONS"}, kind: boolean, preset: true, since: "0.4.0", about: "whether statelessSessionPatterns count"},
	{name: "pruneHeartbeatOk", env: []string{"LCM_PRUNE_HEARTBEAT_OK"}, kind: boolean, preset: false, since: "0.6.0", about: "whether turns go in which a heartbeat found nothing to do"},
	{name: "newSessionRetainDepth", env: []string{"LCM_NEW_SESSION_RETAIN_DEPTH"}, least: -1, most: unlimited, preset: int64(2), since: "0.6.0", about: "the depth from which on /new keeps summaries; -1 keeps all"},
	{name: "bootstrapMaxTokens", env: []string{"LCM_BOOTSTRAP_MAX_TOKENS"}, least: 1, most: unlimited, preset: int64(6000), since: "0.6.0", about: "the most tokens of a session's newest messages that a host stores at first contact; not set, it follows from leafChunkTokens"},
	{name: "circuitBreakerThreshold", env: []string{"LCM_CIRCUIT_BREAKER_THRESHOLD"}, least: 1, most: unlimited, preset: int64(5), since: "0.7.0", about: "refusals of a key in a row after which its model is asked no more for a while"},
	{name: "circuitBreakerCooldownMs", env: []string{"LCM_CIRCUIT_BREAKER_COOLDOWN_MS"}, least: 1, most: unlimited, preset: int64(1_800_000), since: "0.7.0", about: "milliseconds of that while"},
	{name: "summaryCallWindowMs", env: []string{"LCM_SUMMARY_CALL_WINDOW_MS"}, least: 1, most: unlimited, preset: int64(600_000), since: "0.12.0", about: "milliseconds in which the calls for one conversation are counted"},
	{name: "summaryMaxCallsPerWindow", env: []string{"LCM_SUMMARY_MAX_CALLS_PER_WINDOW"}, least: 1, most: unlimited, preset: int64(24), since: "0.12.0", about: "the most calls in that time"},
	{name: "summarySpendBackoffMs", env: []string{"LCM_SUMMARY_SPEND_BACKOFF_MS"}, least: 1, most: unlimited, preset: int64(1_800_000), since: "0.12.0", about: "milliseconds without calls after too many"},
	{name: "replayFloodThresholdExternal", env: []string{"LCM_REPLAY_FLOOD_THRESHOLD_EXTERNAL"}, least: 1, most: unlimited, preset: int64(3), use: hostOnly, since: "0.13.0", about: "equal messages of a user in a second from which on they are refused as a replay"},
	{name: "replayFloodThresholdInternal", env: []string{"LCM_REPLAY_FLOOD_THRESHOLD_INTERNAL"}, least: 1, most: unlimited, preset: int64(32), use: hostOnly, since: "0.13.0", about: "the same for messages of the agent and its tools"},
	{name: "proactiveThresholdCompactionMode", env: []string{"LCM_PROACTIVE_THRESHOLD_COMPACTION_MODE"}, kind: word, words: []string{"deferred", "inline"}, preset: "deferred", use: hostOnly, since: "0.9.0", about: "whether the host compacts after a turn or within it"},
	{name: "hostFallbackMode", env: []string{"LCM_HOST_FALLBACK_MODE"}, kind: word, words: []string{"error", "capture-only"}, preset: "error", use: hostOnly, since: "0.15.0", about: "what the plugin does under a host that is too old for it"},

	{name: "cacheAwareCompaction.enabled", env: []string{"LCM_CACHE_AWARE_COMPACTION_ENABLED"}, kind: unlessFalse, preset: true, use: hostOnly, since: "0.7.0", about: "compacts later while the vendor's cache is warm; without effect since 0.10"},
	{name: "cacheAwareCompaction.cacheTTLSeconds", env: []string{"LCM_CACHE_TTL_SECONDS"}, least: 1, most: unlimited, preset: int64(300), use: hostOnly, since: "0.7.0", about: "seconds for which that cache is taken for warm"},
	{name: "cacheAwareCompaction.maxColdCacheCatchupPasses", env: []string{"LCM_MAX_COLD_CACHE_CATCHUP_PASSES"}, least: 1, most: unlimited, preset: int64(2), use: hostOnly, since: "0.7.0", about: "the most passes that make up for it when the cache is cold"},
	{name: "cacheAwareCompaction.hotCachePressureFactor", env: []string{"LCM_HOT_CACHE_PRESSURE_FACTOR"}, least: 1, most: unlimited, preset: int64(4), use: hostOnly, since: "0.7.0", about: "how many times more may wait while the cache is warm"},
	{name: "cacheAwareCompaction.hotCacheBudgetHeadroomRatio", env: []string{"LCM_HOT_CACHE_BUDGET_HEADROOM_RATIO"}, kind: number, least: 0, most: 0.95, preset: 0.2, use: hostOnly, since: "0.7.0", about: "the share of the budget that stays free while the cache is warm"},
	{name: "cacheAwareCompaction.coldCacheObservationThreshold", env: []string{"LCM_COLD_CACHE_OBSERVATION_THRESHOLD"}, least: 0, most: unlimited, preset: int64(3), use: hostOnly, since: "0.7.0", about: "turns without the cache after which it is taken for cold"},
	{name: "cacheAwareCompaction.criticalBudgetPressureRatio", env: []string{"LCM_CRITICAL_BUDGET_PRESSURE_RATIO"}, kind: number, least: 0, most: unlimited, preset: 0.9, use: hostOnly, since: "0.7.0", about: "the share of the budget above which the cache doesn't count"},
	{name: "dynamicLeafChunkTokens.enabled", env: []string{"LCM_DYNAMIC_LEAF_CHUNK_TOKENS_ENABLED"}, kind: boolean, preset: true, use: hostOnly, since: "0.7.0", about: "larger parts become one summary in busy sessions; without effect since 0.10"},
	{name: "dynamicLeafChunkTokens.max", env: []string{"LCM_DYNAMIC_LEAF_CHUNK_TOKENS_MAX"}, least: 0, most: unlimited, preset: int64(40_000), use: hostOnly, since: "0.7.0", about: "the most tokens of such a part"},
	{name: "independentLogFile.enabled", env: []string{"LCM_LOG_FILE_ENABLED"}, kind: unlessFalse, preset: true, use: hostOnly, since: "0.13.0", about: "whether the plugin writes a log of its own"},
	{name: "independentLogFile.file", env: []string{"LCM_LOG_FILE"}, kind: text, use: hostOnly, since: "0.13.0", about: "the path of that log"},
	{name: "independentLogFile.maxFileBytes", env: []string{"LCM_LOG_MAX_FILE_BYTES"}, least: 0, most: unlimited, preset: int64(104_857_600), use: hostOnly, since: "0.13.0", about: "the size at which a new log is begun"},

	{name: "autoRotateSessionFiles.enabled", env: []string{"LCM_AUTO_ROTATE_SESSION_FILES_ENABLED"}, kind: unlessFalse, preset: true, use: hostOnly, since: "0.9.4", gone: "1.0.0", about: "shortens large session files"},
	{name: "autoRotateSessionFiles.createBackups", env: []string{"LCM_AUTO_ROTATE_SESSION_FILES_CREATE_BACKUPS"}, kind: boolean, preset: false, use: hostOnly, since: "0.9.4", gone: "1.0.0", about: "keeps what was there before"},
	{name: "autoRotateSessionFiles.sizeBytes", env: []string{"LCM_AUTO_ROTATE_SESSION_FILES_SIZE_BYTES"}, least: 0, most: unlimited, preset: int64(2_097_152), use: hostOnly, since: "0.9.4", gone: "1.0.0", about: "the size from which on a session file is large"},
	{name: "autoRotateSessionFiles.startup", env: []string{"LCM_AUTO_ROTATE_SESSION_FILES_STARTUP"}, kind: word, words: rotations, preset: "rotate", use: hostOnly, since: "0.9.4", gone: "1.0.0", about: "what is done at the start of the host"},
	{name: "autoRotateSessionFiles.runtime", env: []string{"LCM_AUTO_ROTATE_SESSION_FILES_RUNTIME"}, kind: word, words: rotations, preset: "rotate", use: hostOnly, since: "0.9.4", gone: "1.0.0", about: "what is done while it runs"},
	{name: "transcriptGcEnabled", env: []string{"LCM_TRANSCRIPT_GC_ENABLED"}, kind: boolean, preset: false, use: hostOnly, since: "0.8.1", gone: "1.0.0", about: "takes large tool results out of session files"},
	{env: []string{autocompactDisabled}, kind: boolean, preset: false, use: hostOnly, gone: "0.6.0", about: "hooks of lcm-tui start no work; no version of the host followed it"},
	{env: []string{"LCM_DATABASE_URL"}, kind: text, use: hostOnly, about: "a PostgreSQL database, which this program doesn't open; whether it is set is shown, never its value"},
}

// autocompactDisabled is a variable of a program that came before; no version of the host followed it.
const autocompactDisabled = "LCM_AUTOCOMPACT_DISABLED"

// rotations are what may be done with large session files.
var rotations = []string{"rotate", "warn", "off"}
