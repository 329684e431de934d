package secrets

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// loginRules are the passwords that stand beside the name of a user, in the forms that programs
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
			Pattern: `(?:machine\s+\S+\s+)?login\s+\S+\s+(?:account\s+\S+\s+)?password\s+(\S{3,200})`, accept: isNoWord,
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
			ID: "command-password", About: "the password on the line of a command", Class: Sure, Keywords: []string{"curl", "sshpass"}, leading: true,
			Pattern: `curl\b[^|;]{0,400}?\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s"':]{1,64}:([^\s"']{5,120})|sshpass\s+-p[ =]?["']?([^\s"']{5,120})`,
			possible: func(text string, _, end int) bool {
				line := text[end:min(len(text), end+defaultWindow)]
				return strings.Contains(line, " -u") || strings.Contains(line, "-user") || strings.Contains(line, " -p")
			}, accept: isPassword,
		},
	}
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

// memberWords are the keywords of the rules that look for a name before the value.
func memberWords() (words []string) {
	for _, v := range contextFormats {
		words = append(words, strings.Fields(v.keywords)...)
	}
	return append(words, "secret_access_key", "secretaccesskey", "secret-access-key", "secret access key", "auth", "accountkey", "sharedaccesskey")
}
