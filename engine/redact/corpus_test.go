package redact_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"lcm-tui/engine/redact"
)

// planted is a made-up secret of one kind, with the sentence that it stands in.
type planted struct {
	rule, value, text string
}

const (
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
	hex    = digits + "abcdef"
	alnum  = upper + lower + digits
)

// corpus makes secrets of every kind with random values. They are put together while the test
// runs: none of them stands in this file.
func corpus(seed uint64) (out []planted) {
	random := rand.New(rand.NewPCG(seed, seed))
	of := func(letters string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	add := func(rule, text string, parts ...string) {
		value := strings.Join(parts, "")
		if text == "" {
			text = "please use %s from now on"
		}
		out = append(out, planted{rule, value, fmt.Sprintf(text, value)})
	}
	add("aws-access-key", "", "AK", "IA", of(upper+"234567", 16))
	add("aws-secret-key", "aws_secret_access_key = %s", of(alnum+"/+", 40))
	add("github-token", "", "gh", "p_", of(alnum, 36))
	add("github-fine-grained-token", "", "github", "_pat_", of(alnum, 22), "_", of(alnum, 59))
	add("gitlab-token", "", "gl", "pat-", of(alnum, 20))
	add("slack-token", "", "xo", "xb-", of(digits, 12), "-", of(digits, 12), "-", of(alnum, 24))
	add("slack-webhook", "post it to https://%s please", "hooks.", "slack.com/services/T", of(upper+digits, 8), "/B", of(upper+digits, 10), "/", of(alnum, 24))
	add("stripe-key", "", "sk", "_live_", of(alnum, 24))
	add("openai-key", "", "sk", "-proj-", of(alnum, 74), "T3Blbk", "FJ", of(alnum, 74))
	add("openai-key", "", "sk", "-", of(alnum, 20), "T3Blbk", "FJ", of(alnum, 20))
	add("anthropic-key", "", "sk", "-ant-api03-", of(alnum+"-_", 93), "AA")
	add("google-api-key", "", "AI", "za", of(alnum+"-_", 35))
	add("sendgrid-key", "", "S", "G.", of(alnum, 22), ".", of(alnum, 43))
	add("twilio-key", "", "S", "K", of(hex, 32))
	add("npm-token", "", "np", "m_", of(alnum, 36))
	add("pypi-token", "", "py", "pi-AgEI", "cHlwaS5vcmc", of(alnum, 70))
	add("huggingface-token", "", "h", "f_", of(alnum, 34))
	add("digitalocean-token", "", "do", "p_v1_", of(hex, 64))
	add("shopify-token", "", "shp", "at_", of(hex, 32))
	add("databricks-token", "", "da", "pi", of(hex, 32))
	add("postman-key", "", "PM", "AK-", of(hex, 24), "-", of(hex, 34))
	add("grafana-token", "", "gl", "sa_", of(alnum, 32), "_", of(hex, 8))
	add("vault-token", "", "hv", "s.", of(alnum, 90))
	add("age-key", "", "AGE-SECRET", "-KEY-1", of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))
	add("linear-key", "", "lin", "_api_", of(alnum, 40))
	add("replicate-token", "", "r", "8_", of(alnum, 37))
	add("groq-key", "", "gs", "k_", of(alnum, 52))
	add("discord-token", "the bot logs in with %s",
		strings.TrimRight(base64.StdEncoding.EncodeToString([]byte("1"+of(digits, 17))), "="), ".", of(alnum, 6), ".", of(alnum, 38))
	add("discord-webhook", "https://discord.com/api/webhooks/"+of("123456789", 18)+"/%s", of(alnum, 68))
	add("telegram-bot-token", "curl https://api.telegram.org/bot%s/getMe", of("123456789", 9), ":A", "A", of(alnum, 33))
	add("terraform-token", "", of(alnum, 14), ".atlas", "v1.", of(alnum, 67))
	add("azure-client-secret", "", of(alnum, 3), "8Q", "~", of(alnum, 34))
	add("mailchimp-key", "", of(hex, 32), "-us", "12")
	add("url-password", "postgres://app:%s@db.internal:5432/app", of(alnum, 16))
	add("private-key", "%s", "-----BEGIN RSA PRIV", "ATE KEY-----\n", strings.Join([]string{of(alnum, 64), of(alnum, 64), of(alnum, 64), of(alnum, 64)}, "\n"), "\n-----END RSA PRIV", "ATE KEY-----")
	add("json-web-token", "", token(`{"alg":"HS256","typ":"JWT"}`), ".", token(`{"sub":"`+of(digits, 12)+`"}`), ".", of(alnum, 43))
	uuid := func() string {
		return of(hex, 8) + "-" + of(hex, 4) + "-" + of(hex, 4) + "-" + of(hex, 4) + "-" + of(hex, 12)
	}
	add("xai-key", "", "xa", "i-", of(alnum, 80))
	add("perplexity-key", "", "ppl", "x-", of(alnum, 48))
	add("nvidia-key", "", "nva", "pi-", of(alnum+"-_", 63), "a")
	add("tailscale-key", "", "ts", "key-auth-", of(alnum, 12), "CNTRL-", of(alnum, 30))
	add("notion-token", "", "nt", "n_", of(digits, 11), of(alnum, 35))
	add("figma-token", "", "fi", "gd_", of(alnum, 40))
	add("hubspot-token", "", "pat", "-na1-", uuid())
	add("dropbox-token", "", "s", "l.", of(alnum, 136))
	add("facebook-token", "", "EA", "AC", of(alnum, 120))
	add("aws-session-token", "", "IQoJ", "b3JpZ2lu", of(alnum, 200))
	add("resend-key", "", "r", "e_", of(alnum, 7), "7_", of(alnum, 24))
	add("pinecone-key", "", "pc", "sk_", of(alnum, 6), "_", of(alnum, 63))
	add("aws-secret-key-beside", "AK"+"IA"+of(upper, 16)+" %s", "aB3", of(alnum, 37))
	add("datadog-key", "DD_API_KEY=%s", "1a", of(hex, 30))
	add("cloudflare-token", "CLOUDFLARE_API_TOKEN: \"%s\"", "1a", of(alnum, 38))
	add("heroku-key", "heroku_api_key = '%s'", uuid())
	add("twilio-auth-token", "twilio auth token: %s", "1a", of(hex, 30))
	add("azure-storage-key", "AccountName=files;AccountKey=%s;", of(alnum, 86), "==")
	add("netrc-password", "machine git.example.net login build password %s\n", "c9", of(alnum, 10))
	add("connection-password", "Server=db.internal;Database=app;User Id=app;Password=%s;Encrypt=true", "z8", of(alnum, 9))
	add("driver-password", "dsn: app:%s@tcp(db.internal:3306)/app", "z8", of(alnum, 9))
	add("command-password", "curl -fsS -u deploy:%s https://ci.internal/job", "z8", of(alnum, 9))
	add("command-password", "mysql -h db.internal -u app -p%s app", "z8", of(alnum, 9))
	add("command-password", "mysqldump --user=app --password=%s app > all.sql", "z8", of(alnum, 9))
	add("command-password", "redis-cli -h cache -a %s PING", "z8", of(alnum, 9))
	add("command-password", "mongosh --host db -u app -p %s", "z8", of(alnum, 9))
	add("variable-password", "PGPASSWORD=%s psql -h db app", "z8", of(alnum, 9))
	add("netrc-password", "@@ -1 +1,3 @@\n+machine git.example.net\n+  login build\n+  password %s\n", "c9", of(alnum, 10))
	add("encoded-url-password", "next=postgres%%3A%%2F%%2Fapp%%3A%s%%40db.internal%%2Fapp", "z8", of(alnum, 12))
	add("url-password", "https://app:%s@git.internal/app.git", "%40z8", of(alnum, 12), "%2F")
	add("session-cookie", "Cookie: theme=dark; connect.sid=%s; lang=en", "s%3A", of(alnum, 32), ".", of(alnum, 40))
	add("session-cookie", "Set-Cookie: PHPSESSID=%s; path=/; HttpOnly", "1a", of(lower+digits, 24))
	add("session-cookie", "curl -b x -H 'cookie: _shop_session=%s' https://shop.internal", "1a", of(hex, 60))
	add("basic-authorization", "Authorization: Basic %s", base64.StdEncoding.EncodeToString([]byte("deploy:z8"+of(alnum, 16))))
	add("authorization-header", "curl -H 'Authorization: Bearer %s' x", "7a", of(alnum, 40))
	add("assigned-secret", "SERVICE_API_KEY=%s", "a1", of(alnum, 30))
	add("password-in-text", "the password is %s, keep it", "tr0ub4dor", of(digits, 2))
	return out
}

func token(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// isFound reports whether a rule found the whole value.
func (p planted) isFound(found []redact.Finding) bool {
	for _, f := range found {
		if f.Rule == p.rule && f.Secret.Reveal() == p.value {
			return true
		}
	}
	return false
}
