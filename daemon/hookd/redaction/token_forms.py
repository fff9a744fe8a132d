"""Token forms: what the tokens of each vendor look like, one row per vendor and form.

The forms are publicly documented; none was tried with a real key. A row is the vendor, the kind of
its mark, the prefixes, and the regex of what follows a prefix:

* It has no upper bound, because the whole token must be replaced. The lower bound is below the
  usual length, to catch truncated tokens. Where a token has a fixed length and its prefix is short,
  the regex is exact, so that names in code are kept.
* Behind a prefix that ends in `_`, `.` or `-` the token begins with RUN characters of a key, that
  is `[A-Za-z0-9_-]`, or the prefix is in ANYWHERE (both in patterns.py).
* Every repetition is possessive or the last, so that no text takes more than linear time.
"""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """Tokens of one vendor that differ in nothing but the prefix; `prefixes` has spaces between.

    With `apart` a prefix counts only where no word, such as `rk_` before `live_`, precedes it.
    """

    vendor: str
    kind: str
    prefixes: str
    body: str
    apart: bool = False


_A, _W, _X, _U, _L = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[a-fA-F0-9]", "[A-Z0-9]", "[a-z0-9]"
_UUID = f"{_X}{{8}}-{_X}{{4}}-{_X}{{4}}-{_X}{{4}}-{_X}{{12}}"
# A digit within the first characters tells a token from a name in code: `napi_create_reference`.
_D = "(?=[A-Za-z_-]{0,60}[0-9])"
_KEY, _END, _ENDS_WORD = "api-key", f"(?!{_A})", f"(?!{_W})"

# fmt: off
FORMS = tuple(Form(*row) for row in (
    # Models and what is around them
    ("Anthropic", "anthropic-key", "sk-ant-", _W + "{16,}"),
    ("OpenAI", "openai-key", "sk-proj- sk-svcacct- sk-admin-", _W + "{20,}"),
    ("OpenAI, DeepSeek and others", "openai-key", "sk-", _A + "{20,}"),
    ("Anyscale", _KEY, "esecret_", _D + _A + "{20,}"),
    ("Apify", _KEY, "apify_api_", _D + _A + "{30,}"),
    ("Browserbase", _KEY, "bb_live_", _D + _W + "{20,}"),
    ("Cartesia", _KEY, "sk_car_", _D + _A + "{20,}"),
    ("Cerebras", _KEY, "csk-", _D + _A + "{40,}"),
    ("Cursor", _KEY, "key_ crsr_", _X + "{60,}", True),
    ("E2B", _KEY, "e2b_", _X + "{36,}"),
    ("Firecrawl", _KEY, "fc-", f"{_X}{{32}}{_END}"),
    ("Fireworks", _KEY, "fw_", _D + _A + "{20,}"),
    ("Groq", _KEY, "gsk_", _A + "{27,}"),
    ("Helicone", _KEY, "sk-helicone-", _D + _W + "{20,}"),
    ("Hugging Face", "huggingface-token", "hf_ api_org_", _A + "{30,}"),
    ("Jina", _KEY, "jina_", _D + _W + "{40,}"),
    ("Kaggle", _KEY, "KGAT_", _X + "{28,}"),
    ("Langfuse", _KEY, "sk-lf-", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("LangSmith", _KEY, "lsv2_pt_ lsv2_sk_", f"{_X}{{32,}}+(?:_{_X}++)?"),
    ("LlamaCloud", _KEY, "llx-", _D + _A + "{36,}"),
    ("Mem0", _KEY, "m0-", _D + _A + "{36,}"),
    ("NVIDIA", _KEY, "nvapi-", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("OpenRouter", _KEY, "sk-or-", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Perplexity", _KEY, "pplx-", _A + "{27,}"),
    ("Pinecone", _KEY, "pcsk_", _D + _W + "{40,}"),
    ("Replicate", _KEY, "r8_", _A + "{27,}"),
    ("RunPod", _KEY, "rpa_", _D + _A + "{36,}"),
    ("Tavily", _KEY, "tvly-", _D + _W + "{28,}"),
    ("Together", _KEY, "tgp_v1_", _D + _W + "{36,}"),
    ("Weights & Biases", _KEY, "wandb_v1_", _D + _W + "{36,}"),
    ("xAI", _KEY, "xai-", _A + "{27,}"),
    # Code, packages and builds
    ("GitHub", "github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", _W + "{20,}"),
    ("GitLab", "gitlab-token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glwt- glagent- gloas- glsoat-"
        " glffct-",
        rf"{_W}{{16,}}+(?>(?:\.{_W}++)*)"),
    ("Atlassian", "atlassian-token", "ATATT3 ATCTT3 ATSTT3", r"[\w=-]{40,}"),
    ("Buildkite", _KEY, "bkua_", _X + "{32,}"),
    ("Chromatic", _KEY, "chpt_", _D + _A + "{14,}"),
    ("CircleCI", _KEY, "CCIPAT_ CCIPRJ_", _D + _W + "{36,}"),
    ("Clojars", _KEY, "CLOJARS_", _D + _A + "{40,}"),
    ("Docker", _KEY, "dckr_pat_ dckr_oat_", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Harness", _KEY, "pat. sat.", rf"{_W}{{20,24}}\.{_A}{{20,}}+\.{_A}{{16,}}"),
    ("Infracost", _KEY, "ico-", f"{_D}{_A}{{32}}{_END}"),
    ("JFrog", _KEY, "AKCp", f"{_D}{_A}{{60,}}"),
    ("npm", "npm-token", "npm_", _A + "{30,}"),
    ("NuGet", _KEY, "oy2", f"{_L}{{43}}{_END}"),
    ("Open VSX", _KEY, "ovsxat_", _D + _W + "{30,}"),
    ("Packagist", _KEY, "packagist_ort_ packagist_out_ packagist_uut_", _X + "{40,}"),
    ("Postman", _KEY, "PMAK-", r"[\w.-]{30,}"),
    ("Postman", _KEY, "PMAT-", _U + "{24,}"),
    ("Prefect", _KEY, "pnu_ pnb_", _D + _A + "{30,}"),
    ("Pulumi", _KEY, "pul-", _X + "{32,}"),
    ("PyPI", "pypi-token", "pypi-", rf"AgE{_W}{{30,}}"),
    ("ReadMe", _KEY, "rdme_", _D + _L + "{50,}"),
    ("RubyGems", _KEY, "rubygems_", _X + "{32,}"),
    ("Socket", _KEY, "sktsec_", _D + _W + "{30,}"),
    ("SonarQube", _KEY, "squ_ sqp_ sqa_", _X + "{32,}"),
    ("Sourcegraph, Segment", _KEY, "sgp_", _D + _W + "{36,}"),
    ("Sourcegraph", _KEY, "slk_ sgd_", _X + "{40,}"),
    ("Terraform", _KEY, "atlasv1.", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Trigger.dev", _KEY, "tr_dev_ tr_prod_ tr_pat_", _D + _A + "{20,}"),
    # Clouds, hosting and networks
    ("AWS", "aws-key-id", "AKIA ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9+/=])"),
    ("AWS Bedrock", "aws-secret", "ABSK", r"QmVkcm9ja[\w+/-]{60,}+={0,2}"),
    ("AWS Bedrock", "aws-secret", "bedrock-api-key-", r"YmVkcm9jay[\w+/-]{40,}+={0,2}"),
    ("Akamai", _KEY, "akab-", f"{_L}{{16}}-{_L}{{16}}{_END}"),
    ("Cloudflare", _KEY, "cfk_ cfut_ cfat_", _A + "{27,}"),
    ("Cloudflare", _KEY, "v1.0-", f"{_X}{{24,}}+-{_X}{{100,}}"),
    ("Defined Networking", _KEY, "dnkey-", _D + _W + "{60,}"),
    ("Deno Deploy", _KEY, "ddp_ ddo_", _D + _A + "{30,}"),
    ("DigitalOcean", "digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _X + "{40,}"),
    ("DNSimple", _KEY, "dnsimple_a_ dnsimple_u_", _D + _A + "{28,}"),
    ("Fly.io", _KEY, "fo1_", f"{_D}{_W}{{40,}}"),
    ("Fly.io", _KEY, "fm1a_ fm1r_ fm2_", r"(?=[A-Za-z_+/-]{0,80}[0-9])[\w+/-]{60,}+={0,3}"),
    ("Google", "google-token", "ya29. 1//0", r"[\w.-]{20,}"),
    ("Google", "google-secret", "GOCSPX-", _W + "{20,}"),
    ("Google", "google-key", "AIza", _W + "{30,}"),
    ("Google", "google-key", "AQ.", f"Ab8{_W}{{36,}}"),
    ("Heroku", "heroku-key", "HRKU-", _W + "{30,}"),
    ("Netlify", _KEY, "nfp_", _A + "{27,}"),
    ("OpenShift", _KEY, "sha256~", f"{_W}{{43}}{_ENDS_WORD}"),
    ("Porkbun", _KEY, "pk1_ sk1_", _X + "{60,}"),
    ("Render", _KEY, "rnd_", _D + _A + "{24,}"),
    ("Scalingo", _KEY, "tk-us-", _D + _W + "{40,}"),
    ("Tailscale", _KEY, "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-",
        r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("UpCloud", _KEY, "ucat_", _D + _A + "{22,}"),
    ("Vercel", _KEY, "vcp_ vci_ vca_ vcr_ vck_", _D + _W + "{22,}"),
    ("Vercel", _KEY, "vercel_blob_rw_", _D + _W + "{24,}"),
    ("Yandex", _KEY, "y0_", _D + _W + "{50,}"),
    ("Yandex", _KEY, "t1.", rf"{_W}{{20,}}+={{0,2}}\.{_W}{{60,}}"),
    # Secrets and identity
    ("1Password", _KEY, "ops_", r"eyJ[\w+/-]{100,}+={0,3}"),
    ("1Password", _KEY, "A3-",
        f"{_U}{{6}}-(?:{_U}{{11}}|{_U}{{6}}-{_U}{{5}})-{_U}{{5}}-{_U}{{5}}-{_U}{{5}}{_END}"),
    ("age", "private-key", "AGE-SECRET-KEY-", f"1{_U}{{50,}}"),
    ("Doppler", _KEY, "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.-]{30,}"),
    ("Doppler", _KEY, "dp.st", r"\.[\w.-]{30,}"),  # the name of an environment comes first
    ("Kong", _KEY, "kpat_ spat_", _D + _A + "{36,}"),
    ("Permit.io", _KEY, "permit_key_", _D + _A + "{40,}"),
    ("Stytch", _KEY, "secret-live- secret-test-", _D + _W + "{30,}"),
    ("Unkey", _KEY, "unkey_", _D + _A + "{16,}"),
    ("Vault", "vault-token", "hvs. hvb. hvr.", _W + "{20,}"),
    ("Zuplo", _KEY, "zpka_", _D + _W + "{30,}"),
    # Databases and data
    ("Aiven, DigitalOcean", _KEY, "AVNS_", _D + _W + "{16,}"),
    ("CockroachDB", _KEY, "CCDB1_", f"{_A}{{20,}}+_{_A}{{30,}}"),
    ("Databricks", "databricks-token", "dapi", rf"{_X}{{32}}(?:-[0-9])?(?!{_A})"),
    ("dbt", _KEY, "dbtc_ dbtu_", r"(?=[\w=-]{0,60}[0-9])[\w=-]{30,}"),
    ("Lightdash", _KEY, "ldpat_", _X + "{28,}"),
    ("MongoDB Atlas", _KEY, "mdb_sa_sk_", _D + _W + "{30,}"),
    ("Neon", _KEY, "napi_", _D + _A + "{40,}"),
    ("PlanetScale", _KEY, "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.-]{30,}"),
    ("QuickNode", _KEY, "QN_", f"{_X}{{32}}{_END}"),
    ("Supabase", _KEY, "sbp_ sb_secret_", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Xata", _KEY, "xau_", _D + _A + "{30,}"),
    # Monitoring
    ("Axiom", _KEY, "xaat- xapt-", _UUID),
    ("Checkly", _KEY, "cu_", f"{_X}{{32}}{_END}"),
    ("Dynatrace", _KEY, "dt0c01. dt0s01. dt0s02. dt0s16.", rf"{_U}{{24}}\.{_U}{{50,}}"),
    ("Grafana", _KEY, "glsa_ glc_", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Honeycomb", _KEY, "hcaik_ hcaic_ hcamk_", _D + _A + "{40,}"),
    ("LaunchDarkly", _KEY, "sdk-", _UUID + _END, True),
    ("New Relic", _KEY, "NRAK-", _A + "{24,}"),
    ("New Relic", _KEY, "NRII-", _D + _W + "{28,}"),
    ("PostHog", _KEY, "phx_ phs_ pha_ phr_", _D + _A + "{36,}"),
    ("Rootly", _KEY, "rootly_", _X + "{60,}"),
    ("Sentry", _KEY, "sntrys_ sntryu_", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    # Payments and shops
    ("Duffel", _KEY, "duffel_live_ duffel_test_", r"(?=[\w=-]{0,60}[0-9])[\w=-]{40,}"),
    ("Facebook", _KEY, "EAA", f"(?=[A-Za-z]{{0,60}}[0-9]){_A}{{100,}}+(?![A-Za-z0-9+/=_-])"),
    ("Flutterwave", _KEY, "FLWSECK- FLWSECK_TEST-", f"{_D}{_A}{{30,}}+(?:-X)?"),
    ("GoCardless", _KEY, "live_", f"{_D}(?=[^A-Z]{{0,39}}[A-Z]){_W}{{40}}{_ENDS_WORD}",
        True),
    ("Lob", _KEY, "live_", f"(?:{_X}{{35}}|pub_{_X}{{31}}){_END}", True),
    ("Mercury", _KEY, "mercury_production_", _D + _W + "{20,}"),
    ("Paddle", _KEY, "pdl_live_apikey_ pdl_sdbx_apikey_", _D + _W + "{40,}"),
    ("Plaid", _KEY, "access-production- access-sandbox- access-development-", _UUID),
    ("Polar", _KEY, "polar_oat_ polar_pat_", _D + _A + "{28,}"),
    ("Shippo", _KEY, "shippo_live_ shippo_test_", _X + "{36,}"),
    ("Shopify", _KEY, "shpat_ shpca_ shppa_ shpss_ shptka_ prtapi_", _X + "{28,}"),
    ("Square", _KEY, "sq0csp- sq0atp-", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Square", _KEY, "EAAA", f"(?={_A}{{0,59}}[_-]){_W}{{60}}{_ENDS_WORD}"),
    ("Stripe", "stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", _A + "{16,}"),
    ("Stripe", "stripe-key", "sk_prod_ rk_prod_", _D + _A + "{16,}"),
    ("Stripe, Clerk, Svix", "stripe-key", "whsec_", r"[A-Za-z0-9+/]{16,}+={0,2}"),
    # Messages, content and services
    ("Adafruit", _KEY, "aio_", f"{_D}{_A}{{28}}{_END}"),
    ("Adobe", _KEY, "p8e-", _D + _A + "{28,}"),
    ("Alchemy", _KEY, "alcht_", _D + _A + "{28,}"),
    ("Brevo", _KEY, "xkeysib- xsmtpsib-", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Cal.com", _KEY, "cal_live_ cal_test_", _D + _A + "{20,}"),
    ("ClickUp", _KEY, "pk_", f"[0-9]{{6,12}}_{_U}{{28,}}"),
    ("Contentful", _KEY, "CFPAT-", _D + _W + "{36,}"),
    ("Dropbox", _KEY, "sl.u.", _D + r"[\w=-]{100,}"),
    ("Figma", _KEY, "figd_", r"(?=\D{0,40}[0-9])[\w+/=-]{20,}"),
    ("Frame.io", _KEY, "fio-u-", r"(?=[\w=-]{0,60}[0-9])[\w=-]{50,}"),
    ("HubSpot", _KEY, "pat-na1- pat-na2- pat-eu1- pat-ap1-", _UUID),
    ("Intra 42", _KEY, "s-s4t2ud- s-s4t2af-", _X + "{50,}"),
    ("Linear", _KEY, "lin_api_ lin_oauth_", _A + "{27,}"),
    ("MailerSend", _KEY, "mlsn.", _D + _A + "{40,}"),
    ("Mailgun", _KEY, "key-", _X + "{30,}"),
    ("Notion", _KEY, "ntn_", _A + "{27,}"),
    ("Notion", _KEY, "secret_", f"{_D}{_A}{{43}}{_END}", True),
    ("Nylas", _KEY, "nyk_v0_", _D + _A + "{40,}"),
    ("OneSignal", _KEY, "os_v2_app_ os_v2_org_", _D + _L + "{60,}"),
    ("PubNub", _KEY, "sec-c-", _D + r"[A-Za-z0-9+/]{36,}+={0,2}"),
    ("Riot Games", _KEY, "RGAPI-", _UUID),
    ("SendGrid", "sendgrid-key", "SG.", rf"{_W}{{16,}}+\.{_W}{{16,}}"),
    ("SettleMint", _KEY, "sm_aat_ sm_pat_ sm_sat_", _D + _A + "{14,}"),
    ("Slack", "slack-token",
        "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xwfp-", r"[\w%-]{14,}"),
    ("Twilio", "twilio-key", "SK", rf"{_X}{{32}}(?!{_A})"),
    ("Typeform", _KEY, "tfp_", _D + r"[\w=-]{36,}+(?>(?:\.[\w=-]++)*)"),
    ("WakaTime", _KEY, "waka_", _UUID),
    # JSON web tokens: two base64url JSON objects begin with eyJ. The signature may be missing.
    ("any vendor", "jwt", "eyJ", rf"{_W}{{8,}}+\.eyJ{_W}{{8,}}+(?:\.{_W}*+){{0,3}}"),
))
"""Every form of a token with a public prefix; of two that match, the first one names the kind."""
# fmt: on
