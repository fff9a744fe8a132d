"""What tokens look like, as their vendors document them: prefixes, alphabet, length.

Written apart from the forms of redaction, so that a form that is too narrow is found. A shape has
a letter for an alphabet with a number of characters, and a text between quotes for itself:
`a32` letters and digits, `w` also `_` and `-`, `x` hexadecimal, `u` upper-case letters and digits,
`l` lower-case ones and digits, `b` base64, `d` digits, `g1` a UUID.
"""

import random
import re
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

_ALPHABETS = {
    "a": ascii_letters + digits,
    "w": ascii_letters + digits + "_-",
    "x": "0123456789abcdef",
    "u": ascii_uppercase + digits,
    "l": ascii_lowercase + digits,
    "b": ascii_letters + digits + "+/",
    "d": digits,
}
OUTSIDE = {"x": "z", "u": "é", "l": "é", "a": "é", "w": "é", "b": "é", "d": "é", "g": "z"}
"""A character that an alphabet lacks, and that keeps what precedes it from being a token."""

FACTS = """
Anthropic | anthropic-key | sk-ant- | 'api03-' w93 'AA'
OpenAI | openai-key | sk-proj- sk-svcacct- sk-admin- | w74 'T3BlbkFJ' w74
OpenAI | openai-key | sk- | a20 'T3BlbkFJ' a20
DeepSeek | openai-key | sk- | x32
Anyscale | api-key | esecret_ | l26
Apify | api-key | apify_api_ | a36
Browserbase | api-key | bb_live_ | w27
Cartesia | api-key | sk_car_ | a22
Cerebras | api-key | csk- | l48
Cursor | api-key | key_ crsr_ | x64
E2B | api-key | e2b_ | x40
Firecrawl | api-key | fc- | x32
Fireworks | api-key | fw_ | a22
Groq | api-key | gsk_ | a52
Helicone | api-key | sk-helicone- | l7 '-' l7 '-' l7 '-' l7
Hugging Face | huggingface-token | hf_ api_org_ | a34
Jina | api-key | jina_ | x32 w28
Kaggle | api-key | KGAT_ | x32
Langfuse | api-key | sk-lf- | g1
LangSmith | api-key | lsv2_pt_ lsv2_sk_ | x32 '_' x10
LlamaCloud | api-key | llx- | a48
Mem0 | api-key | m0- | a40
NVIDIA | api-key | nvapi- | w64
OpenRouter | api-key | sk-or- | 'v1-' x64
Perplexity | api-key | pplx- | a48
Pinecone | api-key | pcsk_ | a5 '_' a63
Replicate | api-key | r8_ | a37
RunPod | api-key | rpa_ | u40 a6
Tavily | api-key | tvly- | 'dev-' a32
Together | api-key | tgp_v1_ | w43
Weights & Biases | api-key | wandb_v1_ | a27 '_' a49
xAI | api-key | xai- | a80
GitHub | github-token | ghp_ gho_ ghu_ ghs_ ghr_ | a36
GitHub | github-token | github_pat_ | a22 '_' a59
GitLab | gitlab-token | glpat- gldt- glrt- glrtr- glft- | w20
GitLab | gitlab-token | glpat- glrt- | w27 '.01.' l9
GitLab | gitlab-token | glsoat- glffct- glwt- glimt- | w25
GitLab | gitlab-token | glcbt- | a2 '_' w20
GitLab | gitlab-token | glptt- | x40
GitLab | gitlab-token | glagent- | w50
GitLab | gitlab-token | gloas- | w64
Atlassian | atlassian-token | ATATT3 ATCTT3 ATSTT3 | 'xFfGF0' w160 '=' u8
Buildkite | api-key | bkua_ | x40
Chromatic | api-key | chpt_ | l15
CircleCI | api-key | CCIPAT_ CCIPRJ_ | a22 '_' x40
Clojars | api-key | CLOJARS_ | x60
Docker | api-key | dckr_pat_ dckr_oat_ | w27
Harness | api-key | pat. sat. | w22 '.' x24 '.' a20
Infracost | api-key | ico- | a32
JFrog | api-key | AKCp | a69
npm | npm-token | npm_ | a36
NuGet | api-key | oy2 | l43
Open VSX | api-key | ovsxat_ | g1
Packagist | api-key | packagist_ort_ packagist_out_ | x68
Packagist | api-key | packagist_uut_ | x68
Postman | api-key | PMAK- | x24 '-' x34
Postman | api-key | PMAT- | u26
Prefect | api-key | pnu_ pnb_ | a36
Pulumi | api-key | pul- | x40
PyPI | pypi-token | pypi- | 'AgEIcHlwaS5vcmc' w160
ReadMe | api-key | rdme_ | l70
RubyGems | api-key | rubygems_ | x48
Socket | api-key | sktsec_ | w43 '_api'
SonarQube | api-key | squ_ sqp_ sqa_ | x40
Sourcegraph | api-key | sgp_ | x16 '_' x40
Segment | api-key | sgp_ | a64
Sourcegraph | api-key | slk_ sgd_ | x64
Terraform | api-key | atlasv1. | w67
Trigger.dev | api-key | tr_dev_ tr_prod_ tr_pat_ | a24
AWS | aws-key-id | AKIA ASIA | u16
AWS Bedrock | aws-secret | ABSK | 'QmVkcm9ja0FQSUtleS' b110 '='
AWS Bedrock | aws-secret | bedrock-api-key- | 'YmVkcm9jay5hbWF6b25hd3MuY29t' b120
Akamai | api-key | akab- | l16 '-' l16
Cloudflare | api-key | cfk_ cfut_ cfat_ | a40
Cloudflare | api-key | v1.0- | x24 '-' x146
Defined Networking | api-key | dnkey- | u26 '-' u52
Deno Deploy | api-key | ddp_ ddo_ | a36
DigitalOcean | digitalocean-token | dop_v1_ doo_v1_ dor_v1_ | x64
DNSimple | api-key | dnsimple_a_ dnsimple_u_ | a32
Fly.io | api-key | fo1_ | w43
Fly.io | api-key | fm1a_ fm1r_ fm2_ | 'lJPECAAAAAAAAyLHxBD' b200 '=='
Google | google-token | ya29. | w160
Google | google-token | 1//0 | w100
Google | google-secret | GOCSPX- | w28
Google | google-key | AIza | w35
Google | google-key | AQ. | 'Ab8' w47
Heroku | heroku-key | HRKU- | 'AA' w58
Heroku | heroku-key | HRKU- | g1
Netlify | api-key | nfp_ | a36
OpenShift | api-key | sha256~ | w43
Porkbun | api-key | pk1_ sk1_ | x64
Render | api-key | rnd_ | a28
Scalingo | api-key | tk-us- | w48
Tailscale | api-key | tskey-auth- tskey-api- tskey-client- | a12 'CNTRL-' a32
Tailscale | api-key | tskey-scim- tskey-webhook- | a12 'CNTRL-' a32
UpCloud | api-key | ucat_ | u26
Vercel | api-key | vcp_ vci_ vca_ vcr_ vck_ | w50 a6
Vercel | api-key | vercel_blob_rw_ | a16 '_' a30
Yandex | api-key | y0_ | w55
Yandex | api-key | t1. | w60 '.' w86
1Password | api-key | ops_ | 'eyJ' a400
1Password | api-key | A3- | u6 '-' u11 '-' u5 '-' u5 '-' u5
1Password | api-key | A3- | u6 '-' u6 '-' u5 '-' u5 '-' u5 '-' u5
age | private-key | AGE-SECRET-KEY- | '1' u58
Doppler | api-key | dp.pt. dp.ct. dp.sa. dp.scim. | a43
Doppler | api-key | dp.audit. | a43
Doppler | api-key | dp.st | '.dev.' a43
Kong | api-key | kpat_ spat_ | a50
Permit.io | api-key | permit_key_ | a80
Stytch | api-key | secret-live- secret-test- | w36
Unkey | api-key | unkey_ | a22
Vault | vault-token | hvs. hvb. hvr. | w95
Zuplo | api-key | zpka_ | x32 '_' x8
Aiven, DigitalOcean | api-key | AVNS_ | w19
CockroachDB | api-key | CCDB1_ | a22 '_' a40
Databricks | databricks-token | dapi | x32
Databricks | databricks-token | dapi | x32 '-2'
dbt | api-key | dbtc_ dbtu_ | w42 '='
Lightdash | api-key | ldpat_ | x32
MongoDB Atlas | api-key | mdb_sa_sk_ | w40
Neon | api-key | napi_ | l64
PlanetScale | api-key | pscale_tkn_ pscale_pw_ pscale_oauth_ | w43
QuickNode | api-key | QN_ | x32
Supabase | api-key | sbp_ | x40
Supabase | api-key | sb_secret_ | w22 '_' a8
Xata | api-key | xau_ | a40
Axiom | api-key | xaat- xapt- | g1
Checkly | api-key | cu_ | x32
Dynatrace | api-key | dt0c01. dt0s01. dt0s02. dt0s16. | u24 '.' u64
Grafana | api-key | glsa_ | a32 '_' x8
Grafana | api-key | glc_ | 'eyJvIjoi' a100 '=='
Honeycomb | api-key | hcaik_ hcaic_ hcamk_ | l58
LaunchDarkly | api-key | sdk- | g1
New Relic | api-key | NRAK- | u27
New Relic | api-key | NRII- | w32
PostHog | api-key | phx_ phs_ | a47
PostHog | api-key | pha_ phr_ | a43
Rootly | api-key | rootly_ | x64
Sentry | api-key | sntrys_ | 'eyJpYXQiOjE' a150 '_' a43
Sentry | api-key | sntryu_ | x64
Duffel | api-key | duffel_live_ duffel_test_ | w43
Facebook | api-key | EAA | a180
Flutterwave | api-key | FLWSECK- FLWSECK_TEST- | x32 '-X'
GoCardless | api-key | live_ | w40
Lob | api-key | live_ | x35
Lob | api-key | live_ | 'pub_' x31
Mercury | api-key | mercury_production_ | a40
Paddle | api-key | pdl_live_apikey_ pdl_sdbx_apikey_ | l26 '_' a22 '_' a3
Plaid | api-key | access-production- access-sandbox- | g1
Plaid | api-key | access-development- | g1
Polar | api-key | polar_oat_ polar_pat_ | a43
Shippo | api-key | shippo_live_ shippo_test_ | x40
Shopify | api-key | shpat_ shpca_ shppa_ shpss_ shptka_ | x32
Shopify | api-key | prtapi_ | x32
Square | api-key | sq0csp- sq0atp- | w43
Square | api-key | EAAA | w30 '-' w29
Stripe | stripe-key | sk_live_ sk_test_ rk_live_ rk_test_ | a24
Stripe | stripe-key | sk_live_ rk_live_ | a99
Stripe | stripe-key | sk_prod_ rk_prod_ | a24
Stripe | stripe-key | whsec_ | a32
Svix | stripe-key | whsec_ | b32
Adafruit | api-key | aio_ | a28
Adobe | api-key | p8e- | a32
Alchemy | api-key | alcht_ | a30
Brevo | api-key | xkeysib- xsmtpsib- | x64 '-' a16
Cal.com | api-key | cal_live_ cal_test_ | x32
ClickUp | api-key | pk_ | d8 '_' u32
Contentful | api-key | CFPAT- | w43
Dropbox | api-key | sl.u. | w1100
Figma | api-key | figd_ | w40
Frame.io | api-key | fio-u- | w64
HubSpot | api-key | pat-na1- pat-na2- pat-eu1- pat-ap1- | g1
Intra 42 | api-key | s-s4t2ud- s-s4t2af- | x64
Linear | api-key | lin_api_ lin_oauth_ | a40
MailerSend | api-key | mlsn. | x64
Mailgun | api-key | key- | x32
Notion | api-key | ntn_ | d11 a35
Notion | api-key | secret_ | a43
Nylas | api-key | nyk_v0_ | a64
OneSignal | api-key | os_v2_app_ os_v2_org_ | l100
PubNub | api-key | sec-c- | a48
Riot Games | api-key | RGAPI- | g1
SendGrid | sendgrid-key | SG. | w22 '.' w43
SettleMint | api-key | sm_aat_ sm_pat_ sm_sat_ | a16
Slack | slack-token | xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- | d12 '-' d12 '-' a24
Slack | slack-token | xoxc- xoxe- | d12 '-' a24
Slack | slack-token | xoxd- | a3 '%2F' a4 '%2B' a70 '%3D'
Slack | slack-token | xapp- | '1-A0' u8 '-' d13 '-' x64
Slack | slack-token | xwfp- | d12 '-' a24
Twilio | twilio-key | SK | x32
Typeform | api-key | tfp_ | w44 '_' a14
WakaTime | api-key | waka_ | g1
any vendor | jwt | eyJ | a30 '.eyJ' a60 '.' w43
"""

_PART = re.compile(r"'([^']*)'|([awxulbdg])(\d+)")


def _uuid(chance: random.Random) -> str:
    return "-".join("".join(chance.choices(_ALPHABETS["x"], k=size)) for size in (8, 4, 4, 4, 12))


def body(shape: str, chance: random.Random) -> str:
    """Return characters of a shape; they begin and end with a letter or digit."""
    while True:
        made = ""
        for text, alphabet, size in _PART.findall(shape):
            made += text or (
                _uuid(chance)
                if alphabet == "g"
                else "".join(chance.choices(_ALPHABETS[alphabet], k=int(size)))
            )
        if made[0] not in "_-+/" and made[-1] not in "_-+/" and re.search("[0-9]", made[:30]):
            return made


def _rows() -> list[tuple[str, str, str, str]]:
    rows = [tuple(cell.strip() for cell in line.split("|")) for line in FACTS.strip().splitlines()]
    return [
        (vendor, kind, prefix, shape)
        for vendor, kind, many, shape in rows
        for prefix in many.split()
    ]


ROWS = _rows()
"""The vendor, the kind of its mark, one prefix, and the shape of what follows it."""
_CHANCE = random.Random(7)
KEYS = [(kind, prefix + body(shape, _CHANCE)) for _, kind, prefix, shape in ROWS]
"""The kind and a generated example of each row."""
