"""Files with credentials of programs, at their places on Linux and on macOS."""

from hookd.risk.model import CallContext
from hookd.risk.secrets.credential_files import FOLDERS, NAMED, PLACES
from hookd.risk.secrets.paths import secret_at
from support.parametrize import parametrize_all

SHOP = "/home/me/shop"
CONFIGS = (".config", "Library/Application Support", "Library/Preferences", ".local/share")


def said(path: str, project: str = SHOP, home: str = "/home/me") -> str:
    found = secret_at(path, CallContext(cwd=project, project=project, home=home))
    return found.severity if found else ""


@parametrize_all("path", sorted(path for _, *paths in PLACES for path in paths))
def test_a_file_of_credentials_is_one_below_each_home(path: str) -> None:
    for home in ("/home/me", "/Users/Me", "/root"):
        assert said(f"{home}/{path}") == "deny"
        assert said(f"{home}/{path}.example") == ""
        if path[0] != ".":
            assert [said(f"{home}/{config}/{path}") for config in CONFIGS] == ["deny"] * 4


@parametrize_all("name", sorted(name for _, *files in NAMED for name in files))
def test_a_file_of_credentials_is_one_by_its_name(name: str) -> None:
    assert [said(f"{home}/{name}") for home in ("~", "/Users/Me", "/etc")] == ["deny"] * 3
    assert said(f"~/{name}.md") == ""


@parametrize_all("folder", sorted(folder for _, *kept in FOLDERS for folder in kept))
def test_a_file_in_a_folder_of_credentials_is_one(folder: str) -> None:
    assert said(f"/x/{folder}/some-file") == "deny"


@parametrize_all(
    "path",
    [
        "~/.vercel/project.json",
        "~/.railway/version.json",
        "~/.wrangler/state/v3/d1.sqlite",
        "~/.config/stripe/README.md",
        "~/.netlify/state.json",
        "~/.fly/bin/flyctl",
        "~/.supabase/config.toml",
        "~/.doppler/fallback",
        "~/.config/gh/config.yml",
        "~/.config/glab-cli/aliases.yml",
        "~/.config/composer/composer.json",
        "~/.docker/daemon.json",
        "~/.kube/cache",
        "~/.aws/config",
        "~/.terraform.d/plugin-cache/x",
        "~/.config/sops/age/README.md",
        "~/.cargo/config.toml",
        "~/.gem/specs/x.gemspec",
        "~/.config/helm/repositories.yaml",
        "~/.pulumi/workspaces/w.json",
        "~/.cloudflared/config.yml",
        "~/.dbt/.user.yml",
        ".npmrc",
        ".yarnrc.yml",
        ".vercel/project.json",
        "supabase/config.toml",
        "wrangler.toml",
        "netlify.toml",
        "fly.toml",
        "doppler.yaml",
        "railway.json",
        "src/stripe/config.ts",
        ".sops.yaml",
        "composer.json",
    ],
)
def test_settings_beside_credentials_are_no_secrets(path: str) -> None:
    assert said(path) == ""


def test_a_folder_of_a_project_may_have_the_name_of_a_program() -> None:
    assert said("apps/stripe/config.toml") == "ask"
    assert said(".kube/config") == "deny"


@parametrize_all(
    ("path", "project", "home", "says"),
    [
        ("/home/test/.ssh/id_rsa", "/home/test/shop", "/home/test", "deny"),
        ("/home/test/keys/prod.key", "/home/test/shop", "/home/test", "deny"),
        ("keys/prod.key", "/home/test/shop", "/home/test", "ask"),
        ("prod.key", "/home/test/shop", "/home/test", "ask"),
        ("prod.key", "/home/me/tests", "/home/me", "ask"),
        ("deploy.pem", "/home/me/test/fixtures/shop", "/home/me", "ask"),
        ("~/test/keys/prod.key", "/home/me/shop", "/home/me", "deny"),
        ("/srv/tests/prod.key", "/home/me/shop", "/home/me", "deny"),
        ("tests/prod.key", "/home/me", "/home/me", "deny"),
        ("tests/tls/server.key", "/home/test/shop", "/home/test", ""),
        ("test/server.pem", "/home/me/shop", "/home/me", ""),
        ("src/fixtures/key.pem", "/home/me/shop", "/home/me", ""),
        ("pkg/tls/testdata/example-key.pem", "/home/me/shop", "/home/me", ""),
        ("web/__tests__/jwt.key", "/home/me/shop", "/home/me", ""),
        ("spec/fixtures/apple.p8", "/home/me/shop", "/home/me", ""),
        ("mocks/server.key", "/home/me/tests", "/home/me", ""),
    ],
)
def test_only_a_folder_of_tests_within_the_project_makes_a_key_harmless(
    path: str, project: str, home: str, says: str
) -> None:
    assert said(path, project, home) == says
