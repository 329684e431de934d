package redact

import "strings"

// contextRules returns the keys of vendors that gave them a length and no prefix: the name of the
// vendor and a word such as key or token stand before an operator and the value.
func contextRules() []Rule {
	rules := make([]Rule, 0, len(contextFormats))
	for _, v := range contextFormats {
		words := strings.Fields(v.keywords)
		rules = append(rules, Rule{
			ID: v.id, About: v.about, Class: Sure, Keywords: words, Entropy: contextEntropy, leading: true, inWord: true, window: contextWindow,
			Pattern:  contextHead + `(` + v.pattern + `)(?:[^\w/+=-]|$)`,
			possible: hasAssignedValue, accept: isMixed,
		})
	}
	return rules
}

const (
	// contextEntropy is below what almost every random hexadecimal value of 32 digits has.
	contextEntropy = 2.8
	// contextWindow is how far behind the vendor's name the value ends at most.
	contextWindow = 240
	// contextHead matches the rest of a name, the word that says that it is a secret, and an operator.
	contextHead = `(?i:[a-z]{0,12}[\w .-]{0,24}?(?:key|token|secret|password|passwd|pat|auth|credential)[\w .-]{0,16}?)["'\x60\])}]{0,3}\s{0,3}(?:[:?=|>,]{1,5}|\bis\b|\bto\b)\s{0,8}["'\x60(\[{=]{0,3}`
)

// hasAssignedValue reports whether an operator stands near behind a keyword and a long word behind
// that.
func hasAssignedValue(text string, _, end int) bool {
	for i := end; i < min(len(text), end+64); i++ {
		switch text[i] {
		case '=', ':', '>', ',', '|', ' ':
			if hasValueBehind(text, i, i) {
				return true
			}
		case '\n':
			return false
		}
	}
	return false
}

// contextFormats are the formats of the values; a keyword names the vendor.
var contextFormats = []vendorFormat{
	{"datadog-key", "a key of Datadog", "datadog dd_api dd_app dd-api dd-app", `[a-f0-9]{32}|[a-z0-9]{40}`},
	{"cloudflare-token", "a key or token of Cloudflare", "cloudflare cf_api cf_token cf-api", `[a-f0-9]{37}|[\w-]{40}`},
	{"heroku-key", "an API key of Heroku", "heroku", `(?i:` + uuidPattern + `)|HRKU-[\w-]{36,64}`},
	{"twilio-auth-token", "an auth token of Twilio", "twilio", `[a-f0-9]{32}`},
	{"mailgun-api-key", "a key of Mailgun", "mailgun", `(?:key-|pubkey-)?[a-f0-9]{32}(?:-[a-f0-9]{8}-[a-f0-9]{8})?`},
	{"fastly-token", "an API token of Fastly", "fastly", `[\w=-]{32}`},
	{"linode-token", "an access token of Linode", "linode", `[a-f0-9]{64}`},
	{"hetzner-token", "an API token of Hetzner", "hetzner hcloud", `[A-Za-z0-9]{64}`},
	{"vultr-key", "an API key of Vultr", "vultr", `[A-Z0-9]{36}`},
	{"scaleway-key", "a secret key of Scaleway", "scaleway scw_secret", uuidPattern},
	{"azure-key", "a key of an Azure service", "azure ocp-apim", `[a-f0-9]{32}|[A-Za-z0-9]{52}|[A-Za-z0-9]{84}|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{43}=`},
	{"algolia-key", "an API key of Algolia", "algolia", `[a-f0-9]{32}`},
	{"okta-token", "a token of Okta", "okta", `00[\w=-]{40}|[\w-]{40,42}`},
	{"auth0-secret", "a client secret of Auth0", "auth0", `[\w-]{64}`},
	{"sentry-key", "an access token of Sentry", "sentry", `[a-f0-9]{64}`},
	{"newrelic-license-key", "a license key of New Relic", "newrelic new_relic", `[a-f0-9]{36}NRAL|[a-f0-9]{40}|(?:NRAK|NRII|NRJS)?[\w-]{27,47}`},
	{"snyk-token", "a token of Snyk", "snyk", `(?i:` + uuidPattern + `)`},
	{"sonar-key", "a token of SonarQube", "sonar", `[a-z0-9=_-]{40}`},
	{"codecov-token", "an upload token of Codecov", "codecov", uuidPattern + `|[a-z0-9]{32}`},
	{"circleci-key", "a token of CircleCI", "circleci circle_", `[a-f0-9]{40}`},
	{"travis-token", "an access token of Travis CI", "travis", `[A-Za-z0-9_-]{22}`},
	{"drone-token", "an access token of Drone CI", "droneci drone_", `[A-Za-z0-9]{32}`},
	{"bitbucket-secret", "a client secret of Bitbucket", "bitbucket", `[a-z0-9=_-]{64}|[A-Za-z0-9]{32}`},
	{"jfrog-key", "a key of JFrog", "jfrog artifactory bintray xray", `[A-Za-z0-9]{64,73}`},
	{"confluent-key", "a secret of Confluent", "confluent", `[A-Za-z0-9/+]{64}|[A-Za-z0-9]{16}`},
	{"mistral-key", "an API key of Mistral", "mistral", `[A-Za-z0-9]{32}`},
	{"cohere-key", "an API key of Cohere", "cohere co_api", `[A-Za-z0-9]{40}`},
	{"together-key", "an API key of Together AI", "together", `[a-f0-9]{64}|tgp_v1_[\w-]{40,50}`},
	{"deepgram-key", "an API key of Deepgram", "deepgram", `[a-f0-9]{40}`},
	{"assemblyai-key", "an API key of AssemblyAI", "assemblyai assembly_ai", `[a-f0-9]{32}`},
	{"pinecone-legacy-key", "an API key of Pinecone", "pinecone", uuidPattern},
	{"serper-key", "an API key of Serper", "serper serpapi", `[a-f0-9]{40,64}`},
	{"exa-key", "an API key of Exa", "exa_api exa-api", uuidPattern},
	{"elevenlabs-legacy-key", "an API key of ElevenLabs", "elevenlabs eleven_ xi-api xi_api", `[a-f0-9]{32}`},
	{"azure-openai-key", "an API key of Azure OpenAI", "openai", `[a-f0-9]{32}`},
	{"pagerduty-key", "an API key of PagerDuty", "pagerduty pager_duty", `[\w+-]{20}|[a-f0-9]{32}`},
	{"opsgenie-key", "an API key of Opsgenie", "opsgenie", uuidPattern},
	{"sumologic-key", "an access key of Sumo Logic", "sumo", `[A-Za-z0-9]{64}`},
	{"splunk-token", "a token of Splunk", "splunk", uuidPattern},
	{"logzio-token", "a token of Logz.io", "logzio logz_io", `[A-Za-z]{32}|[A-Za-z0-9-]{36}`},
	{"honeycomb-key", "an API key of Honeycomb", "honeycomb", `[A-Za-z0-9]{22}|[a-f0-9]{32}|hc[abix]{2}k_[a-z0-9]{58}`},
	{"amplitude-key", "a key of Amplitude", "amplitude", `[a-f0-9]{32}`},
	{"mixpanel-secret", "a secret of Mixpanel", "mixpanel", `[a-f0-9]{32}`},
	{"segment-key", "a write key of Segment", "segment", `[A-Za-z0-9]{32}`},
	{"postmark-token", "a server token of Postmark", "postmark", uuidPattern},
	{"mailjet-key", "a key of Mailjet", "mailjet", `[a-f0-9]{32}`},
	{"messagebird-token", "an API token of MessageBird", "messagebird message_bird", `[a-z0-9]{25}|` + uuidPattern},
	{"nexmo-secret", "a secret of Vonage", "nexmo vonage", `[A-Za-z0-9]{16}`},
	{"zendesk-key", "a token of Zendesk", "zendesk", `[A-Za-z0-9]{40}`},
	{"freshdesk-key", "an API key of Freshdesk", "freshdesk freshbooks", `[A-Za-z0-9]{20,64}`},
	{"intercom-key", "a key of Intercom", "intercom", `[A-Za-z0-9=_-]{60}`},
	{"hubspot-key", "an API key of HubSpot", "hubspot", `(?i:` + uuidPattern + `)`},
	{"facebook-secret", "a secret of Facebook", "facebook fb_app meta_app", `[a-f0-9]{32}|\d{15,16}(?:\||%7C|%)[\w-]{27,40}`},
	{"twitter-secret", "a key or secret of Twitter", "twitter", `[A-Za-z0-9]{25}|[A-Za-z0-9]{45}|[A-Za-z0-9]{50}|\d{15,25}-[A-Za-z0-9]{20,40}`},
	{"linkedin-secret", "a secret of LinkedIn", "linkedin linked_in linked-in", `[A-Za-z0-9]{14,16}`},
	{"twitch-secret", "a token of Twitch", "twitch", `[a-z0-9]{30}`},
	{"spotify-secret", "a secret of Spotify", "spotify", `[a-f0-9]{32}`},
	{"discord-secret", "a secret of Discord", "discord", `[\w=-]{32}|[a-f0-9]{64}`},
	{"telegram-token", "the token of a Telegram bot", "telegram telegr", `\d{5,16}:[\w-]{34,36}`},
	{"mattermost-token", "an access token of Mattermost", "mattermost", `[a-z0-9]{26}`},
	{"gitter-token", "an access token of Gitter", "gitter", `[\w-]{40}`},
	{"zoom-secret", "a secret of Zoom", "zoom", `[A-Za-z0-9]{32}`},
	{"webex-token", "a token of Webex", "webex", `[A-Za-z0-9]{64}_[A-Za-z0-9]{4}_` + uuidPattern},
	{"dropbox-key", "a secret of Dropbox", "dropbox", `[a-z0-9]{15}|[a-z0-9]{11}AAAAAAAAAA[a-z0-9=_-]{43}`},
	{"box-secret", "a secret of Box", "box_client box-client", `[A-Za-z0-9]{32}`},
	{"asana-secret", "a secret of Asana", "asana", `[a-z0-9]{32}`},
	{"atlassian-key", "an API token of Atlassian", "atlassian confluence jira", `[A-Za-z0-9]{24}`},
	{"linear-secret", "a client secret of Linear", "linear", `[a-f0-9]{32}`},
	{"airtable-key", "an API key of Airtable", "airtable", `key[A-Za-z0-9]{14}|[a-z0-9]{17}`},
	{"trello-key", "a token of Trello", "trello", `[a-f0-9]{64}|[A-Za-z0-9-]{32}`},
	{"figma-key", "an access token of Figma", "figma", `(?i:` + uuidPattern + `)|\d{4,10}-` + uuidPattern},
	{"contentful-key", "a delivery token of Contentful", "contentful", `[\w=-]{43}`},
	{"netlify-key", "an access token of Netlify", "netlify", `[\w=-]{40,46}`},
	{"railway-token", "a token of Railway", "railway", uuidPattern},
	{"supabase-key", "a secret of Supabase", "supabase", `[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/=]{40,88}`},
	{"launchdarkly-token", "an access token of LaunchDarkly", "launchdarkly", `[\w=-]{40}`},
	{"registrar-key", "an API key of a registrar", "godaddy namecheap dnsimple gandi", `[A-Za-z0-9_]{24,37}`},
	{"plaid-secret", "a secret of Plaid", "plaid", `[A-Za-z0-9]{24,30}`},
	{"paypal-secret", "a client secret of PayPal", "paypal", `E[\w-]{79}`},
	{"adyen-key", "an API key of Adyen", "adyen", `AQE[\w+/=.^{}-]{60,400}`},
	{"razorpay-secret", "a secret of Razorpay", "razorpay", `[A-Za-z0-9]{24}`},
	{"coinbase-key", "an access token of Coinbase", "coinbase", `[\w-]{64}`},
	{"binance-key", "a key of Binance", "binance kucoin bittrex", `[A-Za-z0-9]{64}|[a-f0-9]{24}|` + uuidPattern + `|[a-z0-9]{32}`},
	{"kraken-key", "a key of Kraken", "kraken", `[\w/=+-]{80,90}`},
	{"finnhub-key", "a token of Finnhub", "finnhub finicity", `[a-z0-9]{20}|[a-f0-9]{32}`},
	{"rapidapi-key", "a key of RapidAPI", "rapidapi", `[\w-]{50}`},
	{"weather-key", "a key of a service for maps or weather", "openweather owm_ here_api weatherapi", `[a-f0-9]{32}|[\w-]{43}`},
	{"yandex-secret", "a secret of Yandex", "yandex", `YC[\w-]{38}`},
	{"etsy-token", "an access token of Etsy", "etsy", `[a-z0-9]{24}`},
	{"unsplash-key", "an access key of Unsplash", "unsplash", `[\w=-]{43}`},
	{"flickr-key", "an access token of Flickr", "flickr", `[a-z0-9]{32}`},
	{"bitwarden-key", "a key of a password manager", "bitwarden bws_access", `0\.` + uuidPattern + `\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{24}`},
	{"ngrok-token", "an authtoken of ngrok", "ngrok", `[A-Za-z0-9]{27}_[A-Za-z0-9]{20,24}`},
	{"meraki-key", "an API key of Cisco Meraki", "meraki", `[0-9a-f]{40}`},
	{"looker-secret", "a secret of Looker", "looker", `[a-z0-9]{24}`},
	{"freemius-key", "a secret key of Freemius", "freemius", `sk_\S{29}`},
	{"privateai-key", "a token of Private AI", "private_ai private-ai privateai", `[a-z0-9]{32}`},
	{"nytimes-key", "a token of the New York Times", "nytimes newyorktimes new-york-times", `[a-z0-9=_-]{32}`},
	{"squarespace-token", "an access token of Squarespace", "squarespace", uuidPattern},
	{"adobe-client-id", "a client id of Adobe", "adobe", `[a-f0-9]{32}`},
	{"alibaba-secret", "a secret key of Alibaba Cloud", "alibaba aliyun", `[A-Za-z0-9]{30}`},
	{"beamer-key", "an API token of Beamer", "beamer", `b_[a-z0-9=_-]{44}`},
	{"databricks-secret", "a secret of Databricks", "databricks", `dose[a-f0-9]{32}|[a-f0-9]{32}`},
	{"vault-key", "an unseal key or token of Vault", "vault", `s\.[A-Za-z0-9]{24}|[A-Za-z0-9+/]{43}=`},
	{"consul-token", "a token of Consul or Nomad", "consul nomad", uuidPattern},
	{"gitlab-secret", "a secret of GitLab", "gitlab", `[a-f0-9]{64}|[\w-]{20}`},
	{"github-secret", "a client secret of GitHub", "github", `[a-f0-9]{40}`},
	{"slack-secret", "a signing secret of Slack", "slack", `[a-f0-9]{32}`},
	{"shopify-secret", "a secret of Shopify", "shopify", `[a-f0-9]{32}`},
	{"adafruit-key", "an API key of Adafruit", "adafruit", `[\w-]{32}`},
	{"sendbird-token", "a token of Sendbird", "sendbird", `[a-f0-9]{40}|` + uuidPattern},
	{"square-key", "an access token of Square", "square", `EAAA[\w-]{22,60}`},
	{"wakatime-key", "an API key of WakaTime", "wakatime", `waka_` + uuidPattern + `|` + uuidPattern},
}

const uuidPattern = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
