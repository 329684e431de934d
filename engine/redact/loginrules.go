package redact

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// loginRules returns the passwords that stand beside the name of a user, in the forms that programs
// read.
func loginRules() []Rule {
	return []Rule{
		{
			ID: "basic-authorization", About: "the name and password of an Authorization header", Class: Sure, Keywords: []string{"basic"}, leading: true, window: tokenWindow,
			Pattern: `(?i:basic)\s+([\w+/-]{12,}={0,2})`, accept: isLogin,
			possible: func(text string, _, end int) bool { return end < len(text) && text[end] == ' ' },
		},
		{
			ID: "registry-login", About: "the name and password for a registry", Class: Sure, Keywords: []string{"auth"}, leading: true, inWord: true, window: tokenWindow,
			Pattern: `(?i:auth)["']?\s*[:=]\s*["']?([\w+/-]{12,}={0,2})`, possible: hasValueBehind, accept: isLogin,
		},
		{
			ID: "netrc-password", About: "a password in the form of .netrc", Class: Sure, Keywords: []string{"machine", "login"}, leading: true,
			Pattern: `(?:machine` + netrcGap + `\S+` + netrcGap + `)?login` + netrcGap + `\S+` + netrcGap + `(?:account` + netrcGap + `\S+` + netrcGap + `)?password` + netrcGap + `(\S{3,200})`, accept: isNoWord,
			possible: func(text string, _, end int) bool {
				return end < len(text) && text[end] <= ' ' && strings.Contains(text[end:min(len(text), end+300)], "password")
			},
		},
		{
			ID: "connection-password", About: "the password of a connection string", Class: Sure, Keywords: []string{"password", "pwd"}, window: 500,
			Pattern:  `(?i)\b(?:server|data source|host|hostaddr|address|addr|initial catalog|database|dbname|user id|userid|uid|user|username|port)\s*=[^\n"']{1,400}?\b(?:password|pwd)\s*=\s*['"]?([^;\s"'<>{}&]{5,200})`,
			possible: isAssigned, accept: isPassword,
		},
		{
			ID: "driver-password", About: "the password in the address of a MySQL driver", Class: Sure, Keywords: []string{"@tcp(", "@unix("}, window: 200,
			Pattern: `(?:^|[\s"'=\x60])[\w.-]{1,64}:([^\s"'\x60@]{5,120})@(?:tcp|unix)\(`, accept: isPassword,
		},
		{
			ID: "contribsys-login", About: "the login for the gems of Sidekiq", Class: Sure, Keywords: []string{"contribsys"}, window: 120,
			Pattern: `(?i)contribsys\w*["'\x60]?\s*[:=>]+\s*["'\x60]?([a-f0-9]{8}:[a-f0-9]{8})\b|https?://([a-f0-9]{8}:[a-f0-9]{8})@(?:gems|enterprise)\.contribsys`,
		},
		{
			ID: "command-password", About: "the password on the line of a command", Class: Sure, Keywords: []string{"curl", "sshpass", "mysql", "mariadb", "redis-cli", "mongo"}, leading: true,
			Pattern: `curl\b[^|;]{0,400}?\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s"':]{1,64}:([^\s"']{5,120})|sshpass\s+-p[ =]?["']?([^\s"']{5,120})|` +
				`(?:mysql|mariadb)[\w-]*[^|;\n]{0,300}?\s(?:-p|--password[ =])["']?([^\s"'|;&<>()]{5,120})|redis-cli[^|;\n]{0,300}?\s(?:-a|--pass)[ =]?["']?([^\s"'|;&]{5,120})|` +
				`mongo\w*[^|;\n]{0,300}?\s(?:-p|--password)[ =]?["']?([^\s"'|;&]{5,120})`,
			possible: func(text string, _, end int) bool {
				line := text[end:min(len(text), end+defaultWindow)]
				return strings.Contains(line, " -u") || strings.Contains(line, "-user") || strings.Contains(line, " -p") || strings.Contains(line, " -a") || strings.Contains(line, "--pass")
			}, accept: isCommandPassword,
		},
		{
			ID: "variable-password", About: "the password in a variable that a client of a database reads", Class: Sure, Keywords: []string{"pgpassword", "mysql_pwd", "rediscli_auth", "sshpass"}, leading: true, inWord: true, window: 160,
			Pattern: `(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SSHPASS)["']?\s?[=:]\s?["']?([^\s"'|;&<>()]{5,120})`, accept: isCommandPassword,
		},
		{
			ID: "session-cookie", About: "the cookie of a session that is signed in", Class: Sure, Entropy: 3, locate: sessionCookie, accept: hasDigitAndLetter,
			Keywords: []string{
				"sid=", "sessionid=", "session_id=", "session-id=", "session=", "session-token=", "session_token=", "auth_token=", "auth-token=", "authtoken=",
				"access_token=", "refresh_token=", "id_token=", "aspxauth=", "remember_token=", "remember_me=", "li_at=", "jwt=",
			},
		},
		{
			ID: "encoded-url-password", About: "the password in a URL that is part of another one", Class: Sure, Keywords: []string{"%3a%2f%2f"}, locate: encodedURLPassword,
		},
	}
}

// netrcGap stands between the words of .netrc: also the end of a line, and in a difference what stands
// before its lines.
const netrcGap = `\s[\s+>-]*`

const (
	minCookie = 16 // The least length of a cookie's value.
	maxCookie = 4 << 10
)

// sessionCookie finds the value of a cookie: behind its name and an equals sign, on a line that says
// before that it has cookies.
func sessionCookie(text string, start, end int) (from, to int, ok bool) {
	head := text[max(0, start-maxCookie):start]
	head = strings.ToLower(head[strings.LastIndexByte(head, '\n')+1:])
	if !strings.Contains(head, cookieMember) && !strings.Contains(head, " -b ") {
		return 0, 0, false
	}
	from = skipBytes(text, end, "\"'", 1)
	to = from
	for to < min(len(text), from+maxCookie) && text[to] > ' ' && strings.IndexByte(";,\"'\\", text[to]) < 0 {
		to++
	}
	return from, to, to-from >= minCookie
}

// isCommandPassword reports whether what follows an option for a password is one: no port, path or other option.
func isCommandPassword(value string) bool {
	return isPassword(value) && strings.Trim(value, "0123456789:") != "" && strings.IndexByte("-/.\\", value[0]) < 0
}

// encodedURLPassword works as urlPassword for a URL whose characters are escaped: start and end are those of
// the escaped ://.
func encodedURLPassword(text string, start, end int) (from, to int, ok bool) {
	if start == 0 || !isWord(text[start-1]) {
		return 0, 0, false
	}
	rest := text[end:min(len(text), end+maxUserInfo)]
	if n := strings.IndexFunc(rest, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) && !strings.ContainsRune("%.~+-!*", r) }); n >= 0 {
		rest = rest[:n]
	}
	lower := strings.ToLower(rest)
	user := strings.Index(lower, "%3a")
	host := strings.Index(lower, "%40")
	if user < 0 || host < user || strings.Contains(lower[:user], "%2f") || strings.Contains(lower[user:host], "%2f") {
		return 0, 0, false
	}
	password, err := url.PathUnescape(rest[user+3 : host])
	if err != nil || !isPassword(password) || host+3 >= len(rest) || !isWord(rest[host+3]) {
		return 0, 0, false
	}
	return end + user + 3, end + host, true
}

// isNoWord reports whether a password is more than a word.
func isNoWord(password string) bool {
	return isPassword(password) && strings.ContainsFunc(password, func(r rune) bool { return !unicode.IsLetter(r) })
}

// isAssigned reports whether an equals sign follows.
func isAssigned(text string, _, end int) bool {
	i := skipBytes(text, end, " \t", 3)
	return i < len(text) && text[i] == '='
}

// isLogin reports whether a value is base64 of a name, a colon and a password.
func isLogin(value string) bool {
	value = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(value, "="))
	raw, err := base64.RawStdEncoding.DecodeString(value)
	if err != nil || !utf8.Valid(raw) {
		return false
	}
	user, password, both := strings.Cut(string(raw), ":")
	return both && user != "" && isPassword(password) && !strings.ContainsFunc(string(raw), func(r rune) bool { return !unicode.IsPrint(r) })
}

// memberWords returns the keywords of the rules that look for a name before the value.
func memberWords() (words []string) {
	for _, v := range contextFormats {
		words = append(words, strings.Fields(v.keywords)...)
	}
	return append(words, "secret_access_key", "secretaccesskey", "secret-access-key", "secret access key", "auth", "accountkey", "sharedaccesskey", cookieMember)
}

// cookieMember is the keyword of a member whose value is a header of cookies, with blanks.
const cookieMember = "cookie"
