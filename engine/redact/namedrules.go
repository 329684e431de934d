package redact

import "strings"

// namedRules returns values without a form of their own: a name or a sentence says what they are.
func namedRules() []Rule {
	return []Rule{
		{
			ID: assignedRule, About: "a random value that is assigned to a name such as api_key or password", Class: Likely, Entropy: 3.5,
			Keywords: assignedNames, locate: assignedValue, accept: isRandom,
		},
		{
			ID: "password-in-text", About: "what a sentence calls a password", Class: Maybe, Keywords: []string{
				"password", "passphrase", "passcode", "passwort", "kennwort", "passwd", "pwd",
			},
			Pattern:  `(?i)(?:passwords?|passphrase|passcode|passwort|kennwort|passwd|pwd)\b["'\x60*]*\s*(?:(?:is|was|ist|lautet|to|=|:)\s*){1,2}["'\x60*]*([^\s"'\x60<>;]{6,64})`,
			possible: hasSentenceValue, leading: true, window: 120, trim: sentenceEnd, accept: isSpokenPassword,
		},
	}
}

// assignedNames stand in the names of settings that hold a secret.
var assignedNames = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "token", "credential",
	"api_key", "api-key", "apikey", "api key", "access_key", "access-key", "accesskey", "access key", "private_key", "private-key", "privatekey",
	"encryption_key", "encryption-key", "encryptionkey", "signing_key", "signing-key", "signingkey", "auth_key", "auth-key", "authkey", "account_key", "accountkey",
	"master_key", "master-key", "masterkey", "service_key", "service-key", "servicekey", "license_key", "licensekey", "webhook_key", "app_key", "appkey",
}

const (
	maxNameEnd  = 24  // How many bytes may stand between the keyword and the operator.
	minAssigned = 10  // The least length of a value.
	maxAssigned = 300 // Longer ones are data.
)

// assignedValue finds the value behind a keyword and an operator: name_TOKEN = "value",
// "token": "value", --token=value.
func assignedValue(text string, _, end int) (from, to int, ok bool) {
	i := end
	for n := 0; i < len(text) && n < maxNameEnd && (isWord(text[i]) || text[i] == '-' || text[i] == '.'); n++ {
		i++
	}
	i = skipBytes(text, i, "\"'`])* \t", 4)
	operator := i
	i = skipBytes(text, i, ":=>", 3)
	if i == operator || text[operator] == '>' {
		return 0, 0, false
	}
	i = skipBytes(text, i, " \t\r\n\"'`*(", 6)
	from = i
	for i < len(text) && isValueByte(text[i]) {
		i++
	}
	if n := i - from; n < minAssigned || n > maxAssigned {
		return 0, 0, false
	}
	if i < len(text) && (text[i] == '(' || text[i] == '[' || text[i] == '<') {
		return 0, 0, false // A call or a type.
	}
	i = from + len(strings.TrimRight(text[from:i], sentenceEnd))
	return from, i, i-from >= minAssigned
}

// skipBytes skips at most n of some bytes.
func skipBytes(text string, i int, some string, n int) int {
	for ; n > 0 && i < len(text) && strings.IndexByte(some, text[i]) >= 0; n-- {
		i++
	}
	return i
}

// isValueByte reports whether a byte may stand in a value that isn't in quotation marks.
func isValueByte(b byte) bool {
	return isWord(b) || strings.IndexByte("-.+/=~!@#$%^*:?&", b) >= 0
}

// assignedStops stand in values that are names, paths or addresses.
var assignedStops = []string{
	"://", "..", "::", "->", "this.", "self.", "config.", "req.", "params.", "options.", "string", "String", "process", "return", "undefined", "null", "function",
	"token", "Token", "TOKEN", "secret", "Secret", "SECRET", "password", "Password", "PASSWORD", "api_key", "apiKey", "ApiKey", "API_KEY", "_key", "Key.", "await", "import", "require", "Key", "Certificate",
	".js", ".ts", ".go", ".py", ".md", ".json", ".yaml", ".yml", ".env", ".txt", ".com", ".org", "localhost", "sha256", "sha512", "SHA256", "integrity",
}

// isRandom reports whether an assigned value is none that a program would write there itself.
func isRandom(value string) bool {
	if !hasDigitAndLetter(value) || strings.Count(value, "/") > 3 || strings.IndexByte("/.$#&%@!", value[0]) >= 0 || isDate(value) {
		return false
	}
	for _, s := range assignedStops {
		if strings.Contains(value, s) {
			return false
		}
	}
	digits := 0
	for i := range len(value) {
		if isDigit(value[i]) {
			digits++
		}
	}
	return digits >= 2 && digits*10 < len(value)*9
}

// isDate reports whether a value begins as a date does.
func isDate(s string) bool {
	return len(s) >= 10 && isDigit(s[0]) && isDigit(s[3]) && s[4] == '-' && isDigit(s[5]) && s[7] == '-'
}

// sentenceEnd is what may stand behind a word of a sentence.
const sentenceEnd = ".,;:!?)*"

// hasSentenceValue reports whether what makes a password of a sentence stands close behind it.
func hasSentenceValue(text string, _, end int) bool {
	for i := end; i < min(len(text), end+8); i++ {
		switch text[i] {
		case 'i', 'I', 'w', 'W', 't', 'T', '=', ':', 'l':
			return true
		case ' ', '\t', '\n', '"', '\'', '`', '*', 's', 'S':
		default:
			return false
		}
	}
	return false
}

// isSpokenPassword reports whether a word of a sentence looks like a password: it isn't made of
// letters alone.
func isSpokenPassword(value string) bool {
	letters := 0
	for i := range len(value) {
		if isLetter(value[i]) || value[i] >= 0x80 {
			letters++
		}
	}
	if len(value) < 6 || letters == len(value) || entropy(value) < 2 || strings.IndexByte("-/$([{<%", value[0]) >= 0 || strings.Contains(value, "://") {
		return false
	}
	return strings.Trim(value, "_-./") != "" && (hasDigitAndLetter(value) || strings.ContainsAny(value, "!@#%^&*+=?"))
}

// assignedRule is the id of the rule for values that have a name.
const assignedRule = "assigned-secret"
