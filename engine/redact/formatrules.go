package redact

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// formatRules returns the secrets that are known by their form and not by a prefix alone.
func formatRules() []Rule {
	return []Rule{
		{
			ID: "private-key", About: "a private key in PEM", Class: Sure, Keywords: []string{"-----begin"}, leading: true, inWord: true, window: pemWindow,
			Pattern: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{40,}?-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s]{64,})`,
			possible: func(text string, start, _ int) bool {
				return strings.Contains(text[start:min(len(text), start+130)], "PRIVATE KEY")
			},
		},
		{
			ID: "json-web-token", About: "a JSON web token", Class: Sure, Keywords: []string{"eyj"}, leading: true, inWord: true, window: tokenWindow,
			Pattern:  `eyJ[\w-]{15,}\.[\w-]{2,}\.[\w-]{10,}={0,2}`,
			possible: func(text string, start, _ int) bool { return text[start:start+3] == "eyJ" },
			accept:   hasTokenHeader, Entropy: vendorEntropy,
		},
		{
			ID: "url-password", About: "the password in a URL", Class: Sure, Keywords: []string{"://"}, locate: urlPassword,
		},
		{
			ID: "authorization-header", About: "what an Authorization header carries", Class: Likely, Keywords: []string{"bearer", "authorization"}, Entropy: 3,
			Pattern:  `(?i)bearer[\s:=]+["']?([\w.~+/-]{16,}={0,2})|authorization["']?\s*[:=]\s*["']?(?:basic|token|apikey|digest)\s+["']?([\w.~+/-]{16,}={0,2})`,
			possible: hasValueBehind, leading: true, window: tokenWindow, accept: hasDigitAndLetter,
		},
		{
			ID: "telegram-bot-token", About: "the token of a Telegram bot", Class: Sure, Keywords: []string{":a"}, Entropy: 3, window: 60,
			Pattern: `(?:^|%[0-9A-Fa-f]{2}|[^0-9])(\d{6,12}:A[\w-]{33,35})(?:[^A-Za-z0-9-]|$)`,
			possible: func(text string, start, _ int) bool {
				return start >= 6 && isDigit(text[start-1]) && isDigit(text[start-6]) && text[start:start+2] == ":A"
			},
		},
		{
			ID: "discord-token", About: "the token of a Discord bot or user", Class: Sure, Keywords: discordPairs(), Entropy: 3.5, leading: true, token: true,
			Pattern: `[MNO][DTjz][\w-]{22,26}\.[\w-]{6,7}\.[\w-]{27,45}`, possible: isDiscordToken, accept: hasDiscordUser,
		},
		{
			ID: "terraform-token", About: "a token of HCP Terraform", Class: Sure, Keywords: []string{".atlasv1."}, Entropy: 3, window: 100,
			Pattern: `([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70})`,
		},
		{
			ID: "azure-client-secret", About: "a client secret of Azure", Class: Sure, Keywords: []string{"q~"}, Entropy: 3, window: 60,
			Pattern: `([\w~.-]{3}\dQ~[\w~.-]{31,34})(?:[^A-Za-z0-9~.-]|$)`,
			possible: func(text string, start, _ int) bool {
				return start >= 4 && isDigit(text[start-1]) && text[start] == 'Q'
			},
		},
		{
			ID: "azure-storage-key", About: "the key of an Azure storage account", Class: Sure, Keywords: []string{"accountkey=", "sharedaccesskey="}, Entropy: 3.5, window: 200,
			Pattern: `(?i)(?:account|sharedaccess)key=([A-Za-z0-9+/]{43,86}={1,2})`,
		},
		{
			ID: "aws-secret-key", About: "a secret access key of AWS", Class: Sure, Keywords: []string{"secret_access_key", "secretaccesskey", "secret-access-key", "secret access key"}, Entropy: 3.5, window: 120,
			Pattern: `(?i)secret[_ -]?access[_ -]?key["'\x60]?\s*(?:[:=]|is)+\s*["'\x60]?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`,
		},
		{
			ID: "aws-secret-key-beside", About: "a secret access key of AWS close to its access key id", Class: Sure, Keywords: []string{"akia", "asia"}, leading: true, token: true, window: 240, Entropy: 4,
			Pattern:  `(?:AKIA|ASIA)[A-Z2-7]{16}\b(?:[\s\S]{0,160}?[^A-Za-z0-9/+=])([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`,
			possible: beginsToken(`A`), accept: hasAllKinds,
		},
		{
			ID: "encoded-web-token", About: "a JSON web token in base64", Class: Sure, Keywords: []string{"zxlk"}, leading: true, inWord: true, window: tokenWindow,
			Pattern: `ZXlK[A-Za-z0-9+/]{40,}={0,2}`, accept: isEncodedToken,
		},
		{
			ID: "maxmind-key", About: "a license key of MaxMind", Class: Sure, Keywords: []string{"_mmk"}, Entropy: 3, window: 60,
			Pattern: `([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?:[^A-Za-z0-9]|$)`,
		},
		{
			ID: "mailgun-key", About: "an API key of Mailgun", Class: Likely, Keywords: []string{"key-"}, Entropy: 3, leading: true, token: true,
			Pattern: `key-[a-f0-9]{32}`, possible: beginsToken(`key-`),
		},
		{
			ID: "mailchimp-key", About: "an API key of Mailchimp", Class: Sure, Keywords: []string{"-us"}, Entropy: 3, window: 60,
			Pattern:  `(?:^|[^0-9a-f-])([0-9a-f]{32}-us\d{1,2})(?:[^A-Za-z0-9-]|$)`,
			possible: func(text string, start, end int) bool { return start >= 32 && end < len(text) && isDigit(text[end]) },
		},
	}
}

const (
	pemWindow   = 16 << 10
	tokenWindow = 4 << 10
)

// hasAllKinds reports whether a value has digits, small and capital letters.
func hasAllKinds(value string) bool {
	return strings.ContainsAny(value, "0123456789") && strings.ToLower(value) != value && strings.ToUpper(value) != value
}

// hasTokenHeader reports whether the first part of a JSON web token is a JSON object that names
// an algorithm.
func hasTokenHeader(token string) bool {
	head, _, _ := strings.Cut(token, ".")
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(head, "="))
	if err != nil {
		return false
	}
	var fields struct {
		Alg *string `json:"alg"`
		Enc *string `json:"enc"`
	}
	return json.Unmarshal(raw, &fields) == nil && (fields.Alg != nil || fields.Enc != nil)
}

// isEncodedToken reports whether a value is base64 of a JSON web token.
func isEncodedToken(value string) bool {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	return err == nil && strings.Count(string(raw), ".") >= 2 && hasTokenHeader(string(raw))
}

// discordPairs returns how the base64 form of a decimal number begins, in lower case.
func discordPairs() (pairs []string) {
	for _, first := range "mno" {
		for _, second := range "dtjz" {
			pairs = append(pairs, string(first)+string(second))
		}
	}
	return pairs
}

// isDiscordToken reports whether the dot stands where it does behind the number of a user.
func isDiscordToken(text string, start, _ int) bool {
	if len(text)-start < 58 {
		return false
	}
	switch text[start+1] {
	case 'D', 'T', 'j', 'z':
	default:
		return false
	}
	return text[start]&0x20 == 0 && strings.IndexByte(text[start+24:start+29], '.') >= 0
}

// hasDiscordUser reports whether the first part of a token is the number of a user.
func hasDiscordUser(token string) bool {
	head, _, _ := strings.Cut(token, ".")
	raw, err := base64.RawStdEncoding.DecodeString(head)
	for _, b := range raw {
		if !isDigit(b) {
			return false
		}
	}
	return err == nil && len(raw) >= 17
}

// hasValueBehind reports whether a word of 16 characters begins within 20 bytes behind a keyword.
func hasValueBehind(text string, _, end int) bool {
	run := 0
	for i := end; i < min(len(text), end+48); i++ {
		if b := text[i]; isWord(b) || strings.IndexByte(".~+/-", b) >= 0 {
			if run++; run == 16 {
				return true
			}
			continue
		}
		run = 0
	}
	return false
}

// maxUserInfo is how long the part of a URL before its host may be.
const maxUserInfo = 512

// ordinaryPasswords stand in examples of URLs.
var ordinaryPasswords = []string{
	"pass", "password", "passwd", "pw", "pwd", "secret", "user", "username", "xxx", "xxxx", "foo", "bar", "token", "api_key", "apikey", "key", "mypassword", "mysecret", "test", "port",
	"dbpass", "db_pass", "p", "pa", "hidden", "masked", "redacted", "none", "null", "empty", "abc", "123", "postgres", "root", "opensesame", "open sesame", "guest", "mysql", "admin", "oauth2", "x-oauth-basic", "x-access-token",
}

// urlPassword finds the password of scheme://user:password@host; start and end are those of ://.
func urlPassword(text string, start, end int) (from, to int, ok bool) {
	if start == 0 || !isWord(text[start-1]) {
		return 0, 0, false
	}
	colon := -1
	for i := end; i < min(len(text), end+maxUserInfo); i++ {
		switch b := text[i]; {
		case b == ':' && colon < 0:
			colon = i
		case b == '@':
			if colon < 0 || i+1 >= len(text) || !isWord(text[i+1]) && text[i+1] != '[' || !isPassword(text[colon+1:i]) {
				return 0, 0, false
			}
			return colon + 1, i, true
		case b <= ' ' || strings.IndexByte("/?#\"'`<>\\|^(),", b) >= 0:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// isPassword reports whether the password of a URL is none of an example.
func isPassword(s string) bool {
	if len(s) < 5 {
		return false
	}
	lower := strings.ToLower(s)
	for _, ordinary := range ordinaryPasswords {
		if lower == ordinary {
			return false
		}
	}
	isVariable := strings.IndexByte("$%<{*[:", s[0]) >= 0 && (s[0] != '%' || !areHex(s, 1, 3))
	return !isVariable && !strings.HasSuffix(s, ">") && strings.Trim(lower, "x*.-_") != "" && entropy(s) > 1.5
}
