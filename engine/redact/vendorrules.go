package redact

import (
	"slices"
	"strings"
)

// vendorRules returns the tokens and keys that their vendors gave a prefix and a length.
func vendorRules() []Rule {
	all := slices.Concat(vendorFormats, moreFormats)
	rules := make([]Rule, 0, len(all))
	for _, v := range all {
		words := strings.Fields(v.keywords)
		accept := func(string) bool { return true }
		if !slices.ContainsFunc(words, func(w string) bool { return len(w) > shortPrefix }) {
			accept = isMixed
		}
		rules = append(rules, Rule{
			ID: v.id, About: v.about, Class: Sure, Keywords: words, Pattern: v.pattern, Entropy: vendorEntropy, leading: true, token: true,
			window: vendorWindow, possible: beginsToken(v.pattern), accept: accept,
		})
	}
	return rules
}

// vendorWindow is more than the longest token of vendorFormats has.
const vendorWindow = 2 << 10

// shortPrefix is the length of prefixes with which names in programs begin as well.
const shortPrefix = 3

// isMixed reports whether a token has a digit and a letter, which a short random one has and a name
// in a program often hasn't.
func isMixed(token string) bool { return len(token) >= 34 || hasDigitAndLetter(token) }

// minToken is how long every match of vendorFormats is at least.
const minToken = 20

// beginsToken returns a test of bytes for a format: the text goes on as the pattern begins, and
// without a blank for the length of a token.
func beginsToken(pattern string) func(text string, start, end int) bool {
	literal := literalBegin(pattern)
	return func(text string, start, _ int) bool {
		if len(text)-start < minToken || !strings.HasPrefix(text[start:], literal) {
			return false
		}
		for i := start; i < start+minToken; i++ {
			if b := text[i]; b <= ' ' || b == '"' || b == '\'' || b == '(' || b == ')' {
				return false
			}
		}
		return true
	}
}

// literalBegin returns the text that each match of a pattern begins with, as far as it is easily seen.
func literalBegin(pattern string) string {
	n := 0
	for n < len(pattern) && (isWord(pattern[n]) || pattern[n] == '-') {
		n++
	}
	if strings.Contains(pattern, "|") || n < len(pattern) && strings.IndexByte("?*{", pattern[n]) >= 0 {
		return ""
	}
	return pattern[:n]
}

// vendorEntropy is below what any random token of 16 characters or more has.
const vendorEntropy = 2.5

// vendorFormat is what the tokens of a vendor look like. The keywords stand apart by blanks.
type vendorFormat struct{ id, about, keywords, pattern string }

// vendorFormats are the formats; each match begins with one of the keywords.
var vendorFormats = []vendorFormat{
	{"aws-access-key", "an access key id of AWS", "akia asia abia acca a3t", `(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}`},
	{"github-token", "a token of GitHub", "ghp_ gho_ ghu_ ghs_ ghr_", `gh[pousr]_[A-Za-z0-9]{36,251}`},
	{"github-fine-grained-token", "a fine-grained token of GitHub", "github_pat_", `github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}|github_pat_\w{82}`},
	{
		"gitlab-token", "a token of GitLab", "glpat- gldt- glrt- glsoat- glft- glagent- glcbt- glptt- glimt- gloas- glffct-",
		`(?:glpat|gldt|glrt|glsoat|glft|glagent|glcbt|glptt|glimt|gloas|glffct)-(?:t\d_|\d{1,2}_)?[\w-]{20,64}(?:\.\d\d\.[a-z0-9]{9})?`,
	},
	{"gitlab-runner-registration-token", "a token that registers a GitLab runner", "gr1348941", `GR1348941[\w-]{20}`},
	{
		"slack-token", "a token of Slack", "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxe. xapp- xoxc- xoxd-",
		`xox[bpaorscd]-(?:\d-)?[0-9A-Za-z%-]{20,250}|xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{100,200}|xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{32,128}`,
	},
	{"slack-webhook", "a webhook of Slack", "hooks.slack.com/", `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,100}`},
	{"stripe-key", "a secret key of Stripe", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", `(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,247}`},
	{"stripe-webhook-secret", "a signing secret of a webhook", "whsec_", `whsec_[A-Za-z0-9+/]{24,64}={0,2}`},
	{"openai-key", "an API key of OpenAI", "sk-", `sk-(?:proj|svcacct|admin|None)-[\w-]{20,200}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{32,64}`},
	{"anthropic-key", "a key of Anthropic", "sk-ant-", `sk-ant-(?:[a-z]{2,8}\d{2}-)?[\w-]{24,140}`},
	{"openrouter-key", "an API key of OpenRouter", "sk-or-v1-", `sk-or-v1-[0-9a-f]{40,64}`},
	{"google-api-key", "an API key of Google", "aiza", `AIza[\w-]{35}`},
	{"google-oauth-secret", "a client secret of Google", "gocspx-", `GOCSPX-[\w-]{28}`},
	{"google-oauth-token", "an access token of Google", "ya29.", `ya29\.[\w-]{30,}`},
	{"sendgrid-key", "an API key of SendGrid", "sg.", `SG\.[\w=.-]{64,68}`},
	{"twilio-key", "an API key of Twilio", "sk", `SK[0-9a-f]{32}`},
	{"npm-token", "an access token of npm", "npm_", `npm_[A-Za-z0-9]{36}`},
	{"pypi-token", "an upload token of PyPI", "pypi-agei", `pypi-AgEI[\w-]{50,}`},
	{"rubygems-key", "an API key of RubyGems", "rubygems_", `rubygems_[a-f0-9]{48}`},
	{"clojars-token", "a deploy token of Clojars", "clojars_", `CLOJARS_[a-z0-9]{60}`},
	{"docker-token", "an access token of Docker", "dckr_pat_ dckr_oat_", `dckr_[po]at_[\w-]{27,32}`},
	{"huggingface-token", "a token of Hugging Face", "hf_ api_org_", `(?:hf|api_org)_[A-Za-z0-9]{30,40}`},
	{"digitalocean-token", "a token of DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", `do[por]_v1_[a-f0-9]{64}`},
	{"doppler-token", "a token of Doppler", "dp.pt. dp.st. dp.ct. dp.scim. dp.audit.", `dp\.(?:pt|st|ct|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}`},
	{"shopify-token", "a token of Shopify", "shpat_ shpca_ shppa_ shpss_ shptka_ shpua_", `shp(?:at|ca|pa|ss|tka|ua)_[A-Za-z0-9]{32,38}`},
	{"square-token", "a token of Square", "sq0atp- sq0csp- eaaa", `sq0atp-[\w-]{22,60}|sq0csp-[\w-]{43}|EAAA[\w-]{56,62}`},
	{"postman-key", "an API key of Postman", "pmak-", `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`},
	{"linear-key", "an API key of Linear", "lin_api_ lin_oauth_", `lin_(?:api|oauth)_[A-Za-z0-9]{32,64}`},
	{"notion-token", "a token of Notion", "ntn_ secret_", `ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}`},
	{"atlassian-token", "a token of Atlassian", "atatt3 atctt3 atbb", `AT[AC]TT3[\w-]{60,250}(?:=[A-F0-9]{8})?|ATBB[A-Za-z0-9]{24,40}`},
	{"databricks-token", "a token of Databricks", "dapi", `dapi[a-h0-9]{32}(?:-\d)?`},
	{"planetscale-token", "a token or password of PlanetScale", "pscale_", `pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}`},
	{"grafana-token", "a token of Grafana", "glc_ glsa_ eyjrijoi", `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,3}|eyJrIjoi[A-Za-z0-9+/]{60,400}={0,3}`},
	{"vault-token", "a token of HashiCorp Vault", "hvs. hvb. hvr.", `hv[sbr]\.[\w-]{24,300}`},
	{"age-key", "a secret key of age", "age-secret-key-1", `AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`},
	{"onepassword-token", "a service account token of 1Password", "ops_eyj", `ops_eyJ[A-Za-z0-9+/]{200,}={0,3}`},
	{"cloudflare-origin-key", "an origin CA key of Cloudflare", "v1.0-", `v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`},
	{"prefect-token", "a token of Prefect", "pnu_", `pnu_[a-zA-Z0-9]{36}`},
	{"pulumi-token", "a token of Pulumi", "pul-", `pul-[a-f0-9]{40}`},
	{"readme-token", "an API token of ReadMe", "rdme_", `rdme_[a-z0-9]{70,78}`},
	{"sentry-token", "a token of Sentry", "sntrys_ sntryu_", `sntrys_eyJ[\w+/=-]{80,400}|sntryu_[a-f0-9]{64}`},
	{"easypost-key", "an API key of EasyPost", "ezak ezt", `EZ[AT]K[A-Za-z0-9]{54}`},
	{"fly-token", "an access token of Fly.io", "fo1_ fm1 fm2_", `fo1_[\w-]{43}|fm1[ar]_[A-Za-z0-9+/]{100,}={0,3}|fm2_[A-Za-z0-9+/]{100,}={0,3}`},
	{"duffel-token", "a token of Duffel", "duffel_", `duffel_(?:test|live)_[\w=-]{43}`},
	{"dynatrace-token", "a token of Dynatrace", "dt0c01.", `dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}`},
	{"frameio-token", "a token of Frame.io", "fio-u-", `fio-u-[\w=-]{64}`},
	{"infracost-key", "an API key of Infracost", "ico-", `ico-[a-zA-Z0-9]{32}`},
	{"newrelic-key", "a key of New Relic", "nrak- nrjs- nrii- nral-", `NRAK-[A-Za-z0-9]{27}|NRJS-[a-f0-9]{19}|NRII-[\w-]{32}|NRAL-[\w-]{32}`},
	{"replicate-token", "an API token of Replicate", "r8_", `r8_[A-Za-z0-9]{32,48}`},
	{"groq-key", "an API key of Groq", "gsk_", `gsk_[A-Za-z0-9]{40,64}`},
	{"xai-key", "an API key of xAI", "xai-", `xai-[A-Za-z0-9_]{64,100}`},
	{"perplexity-key", "an API key of Perplexity", "pplx-", `pplx-[A-Za-z0-9]{40,64}`},
	{"tavily-key", "an API key of Tavily", "tvly-", `tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}`},
	{"elevenlabs-key", "an API key of ElevenLabs", "sk_", `sk_[0-9a-f]{48}`},
	{"supabase-token", "a token of Supabase", "sbp_ sb_secret_", `sbp_(?:v0_)?[a-f0-9]{40}|sb_secret_[\w-]{31,40}`},
	{"figma-token", "a token of Figma", "figd_ figu_", `fig[du]_[\w-]{40,60}`},
	{"netlify-token", "a token of Netlify", "nfp_ nfc_ nfo_ nfu_ nfb_", `nf[pcoub]_[A-Za-z0-9]{36,48}`},
	{"airtable-token", "a token of Airtable", "pat", `pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`},
	{"asana-token", "a token of Asana", "2/ 1/", `[12]/\d{15,17}(?:/\d{15,17})?:[a-f0-9]{32}`},
	{"langchain-key", "an API key of LangSmith", "lsv2_", `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`},
	{"mapbox-token", "a secret token of Mapbox", "sk.eyj", `sk\.eyJ[\w-]{60,120}\.[\w-]{22}`},
	{"discord-webhook", "a webhook of Discord", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", `discord(?:app)?\.com/api/webhooks/\d{17,20}/([\w-]{60,80})`},
	{"aws-bedrock-key", "an API key of Amazon Bedrock", "absk", `ABSK[A-Za-z0-9+/]{109,269}={0,2}`},
	{"teams-webhook", "a webhook of Microsoft Teams", "webhook.office.com/", `webhook\.office\.com/webhookb2/[\w-]{36}@[\w-]{36}/IncomingWebhook/\w{32}/[\w-]{36}`},
	{"plaid-token", "an access token of Plaid", "access-", `access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`},
	{"flutterwave-key", "a secret key of Flutterwave", "flwseck", `FLWSECK(?:_TEST)?-[a-hA-H0-9]{12,40}(?:-X)?`},
	{"shippo-token", "an API token of Shippo", "shippo_", `shippo_(?:live|test)_[a-fA-F0-9]{40}`},
	{"scalingo-token", "a token of Scalingo", "tk-us-", `tk-us-[\w-]{48}`},
	{"sonar-token", "a token of SonarQube", "sqp_ squ_ sqa_", `sq[pua]_[a-f0-9]{40}`},
	{"typeform-token", "a token of Typeform", "tfp_", `tfp_[\w.=-]{59}`},
	{"brevo-key", "an API key of Brevo", "xkeysib-", `xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}`},
	{"alibaba-key", "an access key id of Alibaba Cloud", "ltai", `LTAI[A-Za-z0-9]{20}`},
	{"artifactory-token", "a key of Artifactory", "akc cmvmdgtuoj", `AKC[A-Za-z0-9]{60,80}|cmVmdGtuOj[A-Za-z0-9]{54,64}`},
}
