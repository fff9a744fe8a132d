"""Commands that run elsewhere, or with secrets, are assessed by their effects there."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    ("heroku run rails db:drop -a prod", "ask database"),
    ("heroku run -a prod -- rake db:reset", "ask database"),
    ("heroku run python manage.py flush --noinput --app prod", "ask database"),
    ("heroku run 'rails db:drop' -a prod", "ask database"),
    ("railway run rails db:drop", "ask database"),
    ("railway run -- rm -rf /etc", "deny deletes"),
    ("infisical run --env=prod -- terraform destroy", "deny cloud"),
    ("infisical run --command 'terraform destroy'", "deny cloud"),
    ("chamber exec prod -- terraform destroy", "deny cloud"),
    ("chamber exec prod shared -- terraform destroy", "deny cloud"),
    ("dotenvx run -f .env.prod -- npx prisma migrate reset --force", "ask database"),
    ('fly ssh console -C "rails db:drop"', "ask database"),
    ("flyctl ssh console -a x -C 'rm -rf /data'", "deny deletes"),
    ("kamal app exec 'bin/rails db:drop'", "ask database"),
    ("dokku run shop rails db:drop", "ask database"),
    ("ddev exec rm -rf /var/www/html/src", "ask deletes"),
    ("lando ssh -c 'rm -rf /app'", "ask deletes"),
    ("lxc exec box -- rm -rf /", "ask deletes"),
    ("incus exec box -- rm -rf /srv", "ask deletes"),
]
PASSED = [
    "heroku run rails db:migrate -a prod",
    "heroku run rails console",
    "heroku logs --tail",
    "heroku run rm -rf tmp/cache",
    "railway run npm start",
    "infisical run -- npm run dev",
    "chamber exec dev -- npm test",
    "dotenvx run -- node server.js",
    "fly ssh console",
    "fly status",
    "kamal app exec 'bin/rails about'",
    "ddev exec composer install",
    "ddev start",
    "lxc exec box -- apt-get update",
    "multipass exec box -- ls /",
]


@parametrize_all("text, expected", HELD)
def test_commands_that_run_elsewhere_are_assessed(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all("text", PASSED)
def test_commands_that_are_harmless_elsewhere_pass(text: str) -> None:
    assert said(text) == ""
