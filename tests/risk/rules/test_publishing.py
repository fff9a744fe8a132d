"""Rules for publishing, against builds and dry runs."""

from hookd.risk.rules.publishing import RULES
from support.parametrize import parametrize_all
from support.risk_rules import told

FOR_GOOD = [
    *["npm publish --dry-run=false", "npm publish --dry-run false"],
    *[
        "pipx run twine upload dist/*",
        "npm exec vsce publish",
        "corepack pnpm publish",
        "npx nx release",
    ],
    *[
        "npm publish",
        "npm publish --access public",
        "npm pub",
        "npm --prefix x publish",
        "yarn publish",
    ],
    *["pnpm publish -r", "pnpm -r publish", "yarn npm publish", "bun publish", "npm -w a publish"],
    *[
        "npm unpublish x@1.0.0 --force",
        "yarn workspace a publish",
        "yarn workspaces foreach npm publish",
    ],
    *[
        "npx lerna publish",
        "npx changeset publish",
        "npx np",
        "npx semantic-release",
        "jsr publish",
    ],
    *["cargo publish", "cargo +nightly publish", "cargo publish -p x --no-verify", "deno publish"],
    *["cargo release --execute", "twine upload dist/*", "python -m twine upload dist/*"],
    *["python3 -m twine upload --repository pypi dist/*", "uv publish", "poetry publish --build"],
    *[
        "flit publish",
        "hatch publish",
        "pdm publish",
        "maturin publish",
        "python setup.py sdist upload",
    ],
    *["uv run twine upload dist/*", "uvx twine upload dist/*", "gem push a.gem", "gem yank a -v 1"],
    *["bundle exec rake release", "mvn deploy", "mvn -B clean deploy -DskipTests", "./mvnw deploy"],
    *[
        "mvn release:perform",
        "mvn deploy:deploy-file -Durl=x",
        "gradle publish",
        "./gradlew publish",
    ],
    *[
        "./gradlew :lib:publish",
        "./gradlew publishToSonatype closeAndReleaseSonatypeStagingRepository",
    ],
    *[
        "./gradlew publishPlugins",
        "sbt publishSigned",
        "sbt +core/publish",
        "sbt 'project a' publish",
    ],
    *[
        "dotnet nuget push a.nupkg",
        "nuget push a.nupkg",
        "pod trunk push A.podspec",
        "nuget delete a 1",
    ],
    *["goreleaser release --clean", "vsce publish", "npx vsce publish", "ovsx publish"],
    *[
        "mix hex.publish",
        "dart pub publish",
        "flutter pub publish --force",
        "cabal upload --publish x",
    ],
    *["stack upload .", "rebar3 hex publish", "ansible-galaxy collection publish x", "elm publish"],
    *["crane delete r/a:1", "skopeo delete docker://r/a", "conan upload a", "lein deploy clojars"],
    *[
        "vsce unpublish x",
        "sudo npm publish",
        "sh -c 'cd a && npm publish'",
        "dput ppa:a x.changes",
    ],
]
REPLACEABLE = [
    *[
        "npm deprecate x 'y'",
        "npm dist-tag rm x beta",
        "cargo yank --version 1.0.0",
        "gem owner a --add b",
    ],
    *["docker push r/a:1", "podman push a", "docker image push a", "docker buildx build --push ."],
    *[
        "docker build --push -t a .",
        "docker compose push",
        "docker-compose push",
        "docker manifest push a",
    ],
    *[
        "helm push a.tgz oci://r",
        "oras push r/a",
        "crane copy a b",
        "skopeo copy dir:x docker://r/a",
    ],
    *[
        "gh release create v1",
        "gh release create v1 --notes x dist/*",
        "gh release edit v1 --draft=false",
    ],
    *["glab release create v1", "eas submit -p ios", "fastlane deliver", "fastlane ios release"],
    *[
        "serverless deploy",
        "vercel --prod",
        "vercel deploy --prod",
        "vercel promote x",
        "npx vercel --prod",
    ],
    *[
        "netlify deploy --prod",
        "netlify deploy -p",
        "firebase deploy",
        "firebase deploy --only hosting",
    ],
    *[
        "fly deploy -a acme-api",
        "flyctl deploy --remote-only --strategy immediate",
        "heroku container:release web",
        "heroku rollback",
    ],
    *[
        "wrangler deploy",
        "npx wrangler pages deploy dist",
        "gcloud app deploy",
        "gcloud run deploy a",
    ],
    *[
        "eb deploy",
        "sam deploy",
        "cdk deploy --require-approval never",
        "cdk deploy",
        "cdk deploy --all",
        "npm dist-tag add x@3.0.0 latest",
        "pnpm dist-tag add x@3.0.0 latest",
        "mkdocs gh-deploy",
        "kamal deploy",
    ],
    *[
        "npx gh-pages -d dist",
        "snapcraft upload a.snap",
        "pod repo push a b.podspec",
        "hf upload a .",
    ],
    *["cabal upload x", "web-ext sign", "railway up", "mix hex.retire a 1.0.0 other"],
]
HARMLESS = [
    *[
        "yarn publish:docs",
        "mvn -pl :deploy package",
        "npx nx release --skip-publish",
        "npm run pub",
    ],
    *[
        "npm publish --dry-run",
        "npm pack",
        "npm version patch",
        "npm run publish",
        "npm install publish",
    ],
    *[
        "npm view publish",
        "npm prune",
        "npm ci",
        "npm test",
        "npm install",
        "npm dist-tag ls x",
        "npm pkg get",
    ],
    *[
        "yarn build",
        "pnpm -r build",
        "pnpm install",
        "bun install",
        "npx tsc",
        "lerna version",
        "npx np --preview",
    ],
    *[
        "npx changeset version",
        "npx semantic-release --dry-run",
        "deno run publish.ts",
        "npm search publish",
    ],
    *[
        "cargo publish --dry-run",
        "cargo publish -n",
        "cargo package",
        "cargo build --release",
        "cargo release",
    ],
    *[
        "cargo yank --undo --version 1",
        "twine check dist/*",
        "python -m build",
        "poetry build",
        "uv build",
    ],
    *[
        "poetry publish --dry-run",
        "poetry add twine",
        "uv pip install twine",
        "hatch build",
        "python setup.py sdist",
    ],
    *["gem build a.gemspec", "gem install a", "bundle exec rake test", "rake build", "gem list"],
    *[
        "mvn package",
        "mvn install",
        "mvn deploy -Dmaven.deploy.skip=true",
        "mvn verify -DskipTests",
    ],
    *[
        "./gradlew build",
        "./gradlew publishToMavenLocal",
        "./gradlew publish --dry-run",
        "gradle tasks",
    ],
    *[
        "sbt compile",
        "sbt publishLocal",
        "dotnet build",
        "dotnet publish -c Release",
        "dotnet nuget list source",
    ],
    *[
        "pod install",
        "pod lib lint",
        "goreleaser build",
        "goreleaser release --snapshot",
        "goreleaser check",
    ],
    *[
        "vsce package",
        "mix deps.get",
        "dart pub get",
        "dart pub publish --dry-run",
        "flutter pub publish -n",
    ],
    *[
        "docker build -t a .",
        "docker pull a",
        "docker images",
        "docker tag a b",
        "docker compose up -d",
    ],
    *[
        "docker run --rm a push",
        "helm package .",
        "helm pull a",
        "crane ls a",
        "skopeo inspect docker://r/a",
    ],
    *[
        "skopeo copy docker://r/a dir:x",
        "gh release list",
        "gh release view v1",
        "gh release create v1 --draft",
    ],
    *[
        "gh pr create",
        "eas build",
        "fastlane test",
        "fastlane ios build",
        "serverless offline",
        "vercel",
    ],
    *[
        "vercel dev",
        "vercel env pull --prod",
        "netlify dev",
        "netlify deploy",
        "firebase emulators:start",
    ],
    *[
        "fly deploy",
        "fly deploy --remote-only",
        "fly status",
        "fly logs",
        "heroku logs",
        "heroku ps",
        "wrangler dev",
        "wrangler deploy --dry-run",
    ],
    *[
        "gcloud run services list",
        "sam build",
        "sam local invoke",
        "cdk diff",
        "cdk synth",
        "cdk diff",
    ],
    *[
        "mkdocs build",
        "mkdocs serve",
        "python -m http.server",
        "python manage.py collectstatic",
        "php -v",
    ],
    *[
        "gh-pages --help",
        "kamal app logs",
        "snapcraft pack",
        "ansible-galaxy install x",
        "elm make x",
    ],
]


@parametrize_all("text", FOR_GOOD)
def test_permanent_publication_is_denied(text: str) -> None:
    assert told(RULES, text) == {"publishes deny"}


@parametrize_all("text", REPLACEABLE)
def test_replaceable_publication_is_asked_about(text: str) -> None:
    assert told(RULES, text) == {"publishes ask"}


@parametrize_all("text", HARMLESS)
def test_commands_that_publish_nothing_pass(text: str) -> None:
    assert told(RULES, text) == set()
