"""A package that runs in a version, or under its own name, is assessed as its program."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    ("npx rimraf@5 ~", "deny deletes"),
    ("npx -y rimraf@latest /etc", "deny deletes"),
    ("bunx rimraf@^5 ~", "deny deletes"),
    ("pnpm dlx rimraf@5 ~", "deny deletes"),
    ("yarn dlx rimraf@5 ~", "deny deletes"),
    ("npm exec rimraf@5 -- ~", "deny deletes"),
    ("npx prisma@latest migrate reset --force", "ask database"),
    ("npx vercel@latest --prod", "ask publishes"),
    ("npx vercel@latest rm x --yes", "deny cloud"),
    ("npx supabase@latest db reset --linked", "deny database"),
    ("npx wrangler@3 delete", "deny cloud"),
    ("npx serverless@3 remove", "deny cloud"),
    ("npx semantic-release@19", "deny publishes"),
    ("npx npm@latest publish", "deny publishes"),
    ("npx firebase-tools firestore:delete --all-collections -f", "deny cloud"),
    ("npx netlify-cli deploy --prod", "ask publishes"),
    ("npx aws-cdk@2 destroy --force", "deny cloud"),
    ("npx @railway/cli down", "deny cloud"),
    ("npx @changesets/cli publish", "deny publishes"),
    ("npx eas-cli submit", "ask publishes"),
    ("uvx twine@5.0 upload dist/*", "deny publishes"),
]
PASSED = [
    "npx rimraf@5 dist",
    "npx create-next-app@latest my-app",
    "npx shadcn@latest add button",
    "npx prisma@latest generate",
    "npx vercel@latest env pull",
    "npx firebase-tools emulators:start",
    "npx @angular/cli@17 new shop",
    "npx @biomejs/biome check .",
    "ssh deploy@example.com uptime",
    "npm install rimraf@5",
]


@parametrize_all("text, expected", HELD)
def test_a_version_hides_no_program(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all("text", PASSED)
def test_a_harmless_command_is_harmless_in_every_version(text: str) -> None:
    assert said(text) == ""
