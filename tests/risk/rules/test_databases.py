"""Rules for databases: drops and resets, against queries, inserts and mentions."""

from dataclasses import replace

from hookd.risk.model import CallContext
from hookd.risk.rules import databases, schema_migrations
from support import risk_rules
from support.parametrize import parametrize_all
from support.risk_rules import PLACE

DROPPED = [
    *["psql -c 'DROP DATABASE shop'", "psql -h db -U app shop -c 'drop schema public cascade'"],
    *["psql -c'drop table x'", "psql --command='DROP TABLE x'", "psql --comm 'drop table x'"],
    *["psql -tAc 'truncate orders'", "psql -c 'select 1' -c 'drop table if exists x'"],
    *["psql <<< 'drop table x'", "psql x <<'E'\nBEGIN;\nDROP TABLE x CASCADE;\nCOMMIT;\nE"],
    *[
        "docker exec db psql -U x -c 'DROP TABLE a'",
        "ssh h \"psql -c 'drop table a'\"",
        "sudo -u postgres psql -c 'drop database x'",
    ],
    *[
        "mysql -e 'DROP DATABASE x'",
        "mysql -e 'TRUNCATE TABLE x'",
        "mysql --execute='drop table x'",
        "mysql -Ne'drop table x'",
    ],
    *[
        'mysql -e "DROP DATABASE $DB"',
        "mysql -e '/*!50000 DROP TABLE x */'",
        "mariadb -e 'drop schema x'",
    ],
    *[
        "psql -c 'select 1 /* ; */; drop table x'",
        "psql -c '-- hi\ndrop table x'",
        "psql -c 'Drop/**/Table x'",
    ],
    *[
        "psql -c 'DO $$ BEGIN DROP TABLE x; END $$'",
        "psql -c \"do $$ begin execute 'drop table x'; end $$\"",
    ],
    *[
        "sqlcmd -Q 'select 1 drop table x'",
        "cqlsh -e 'DROP KEYSPACE x'",
        "clickhouse-client -q 'drop table x'",
    ],
    *[
        "clickhouse-client --query='TRUNCATE TABLE x'",
        "bq query 'DROP TABLE d.t'",
        "cockroach sql -e 'drop database x'",
    ],
    *[
        "heroku pg:psql -c 'drop table x'",
        "wrangler d1 execute x --command 'DROP TABLE y'",
        "psql -c 'drop owned by x'",
    ],
    *[
        "mysql -e \"select 'it\\'s; drop'; drop table x\"",
        "psql -c 'alter table x drop partition p'",
    ],
    *[
        "mongosh shop --eval 'db.dropDatabase()'",
        "mongo --eval='db.users.drop()'",
        "mongosh <<'E'\ndb.dropDatabase()\nE",
    ],
    *[
        "redis-cli flushall",
        "redis-cli -h x -n 1 FLUSHDB",
        "redis-cli -u redis://h FLUSHALL ASYNC",
        "valkey-cli flushall",
    ],
    *["redis-cli <<< 'FLUSHALL'", "redis-cli eval 'redis.call(\"flushall\")' 0"],
    *[
        "dropdb x",
        "dropdb -h db --if-exists x",
        "mysqladmin drop x",
        "mysqladmin -u root -f drop x",
        "mix run -e 'Repo.query!(\"DROP TABLE users\")'",
    ],
    *["supabase db reset --linked", "wp db reset --yes", "rake db:drop RAILS_ENV=production"],
]
RISKY = [
    './manage.py migrate "$APP" zero',
    *[
        "npm exec -- prisma migrate reset",
        "conda run -n a alembic downgrade base",
        "bun run prisma migrate reset",
    ],
    *["php -d memory_limit=-1 artisan migrate:fresh"],
    *[
        "psql -c 'delete from orders'",
        "psql -c 'DELETE FROM orders WHERE true'",
        "mysql -e 'update t set a=1'",
    ],
    *[
        "mysql -e 'delete from a where 1=1'",
        "psql -c 'alter table x drop column y'",
        "psql -c 'alter table x drop y'",
    ],
    *[
        "psql -c 'update t set a=(select b from c where d=1)'",
        "psql -c 'with x as (delete from t returning *) select 1'",
    ],
    *["psql -c 'explain analyze delete from t'", "psql -c 'drop role x'", "psql -c '\\! rm -rf x'"],
    *["psql -c \"copy t to program 'sh'\"", "psql -c 'with a as (select 1) update t set b=2'"],
    *[
        "clickhouse-client -q 'alter table t delete where 1'",
        "mysql -e 'create or replace table x (a int)'",
    ],
    *[
        "sqlite3 data/shop.db 'DROP TABLE orders;'",
        "sqlite3 a.db <<'E'\ndelete from t;\nE",
        "duckdb a.db -c 'drop table x'",
    ],
    *["mongosh --eval 'db.users.deleteMany({})'", "mongosh --eval 'db.x.remove( { } )'"],
    *[
        "redis-cli config set dir /x",
        "redis-cli keys 'a*' | xargs redis-cli del",
        "redis-cli shutdown nosave",
    ],
    *[
        "bundle exec rails db:drop",
        "rails db:reset",
        "bin/rails db:drop db:create db:migrate",
        "rake db:schema:load",
    ],
    *[
        "ruby bin/rails db:drop",
        "rails db:drop:all",
        "rails db:migrate:reset",
        "bundle exec rake db:mongoid:purge",
    ],
    *[
        "python manage.py flush",
        "python3 manage.py flush --no-input",
        "./manage.py flush",
        "uv run python manage.py flush",
    ],
    *[
        "python -W ignore manage.py migrate shop zero",
        "python -m django flush",
        "django-admin flush",
        "python manage.py reset_db",
    ],
    *[
        "npx prisma migrate reset --force",
        "pnpm exec prisma migrate reset",
        "yarn prisma db push --force-reset",
    ],
    *[
        "prisma db push --accept-data-loss",
        "npx prisma migrate dev",
        "yes | npx prisma db push",
        "echo y | npx prisma migrate dev",
        "echo y | npx prisma migrate dev --name add",
        "npx prisma migrate dev <<< y",
        "alembic downgrade -1",
        "alembic downgrade 4f2a",
        "python -m alembic -c a.ini downgrade -1",
        "flask db downgrade",
        "bin/rails db:rollback",
        "rails db:migrate:down VERSION=20240101",
        "rake db:rollback STEP=2",
        "rails db:migrate VERSION=0",
        "npx sequelize-cli db:migrate:undo",
        "npx sequelize db:seed:undo:all",
        "knex migrate:rollback",
        "npx knex migrate:down",
        "npx typeorm migration:revert -d x",
        "npx mikro-orm migration:down",
        "npx drizzle-kit drop",
        "php artisan migrate:rollback",
        "php artisan migrate:rollback --step=1",
        "vendor/bin/phinx rollback",
        "php yii migrate/down 1",
        "diesel migration revert",
        "sqlx migrate revert",
        "sea-orm-cli migrate down",
        "goose postgres x down",
        "migrate -path m -database x down 1",
        "dbmate rollback",
        "flyway undo",
        "liquibase --changelog-file=c.xml rollback v1",
        "mix ecto.rollback",
        "mix do ecto.drop, ecto.create",
        "mix do ecto.drop --force + ecto.create",
        "atlas schema clean -u x",
        "hasura migrate apply --down 1",
        "poetry run alembic downgrade base",
        "alembic -c a.ini downgrade base",
    ],
    *[
        "python -m alembic downgrade base",
        "flask db downgrade base",
        "npx sequelize db:drop",
        "npx sequelize-cli db:migrate:undo:all",
    ],
    *[
        "php artisan migrate:fresh --seed",
        "php artisan db:wipe",
        "artisan migrate:refresh",
        "knex migrate:rollback --all",
    ],
    *[
        "npx typeorm schema:drop -d x",
        "php bin/console doctrine:database:drop --force",
        "bin/console d:s:d -f",
    ],
    *[
        "bin/console doctrine:fixtures:load -n",
        "mix ecto.drop",
        "mix ecto.reset",
        "diesel database reset",
        "sqlx database drop -y",
    ],
    *[
        "goose postgres 'x' reset",
        "migrate -path m -database x drop -f",
        "flyway clean",
        "dotnet ef database drop -f",
    ],
    *[
        "supabase db reset",
        "pg_restore -c -d x a.dump",
        "pg_restore --clean -d x a",
        "mongorestore --drop x",
    ],
    *[
        "etcdctl del --prefix /",
        "consul kv delete -recurse a/",
        "vault kv delete secret/a",
        "vault secrets disable x",
    ],
    *[
        "influx bucket delete -n x",
        "kafka-topics.sh --delete --topic x",
        "rabbitmqctl reset",
        "nats stream rm x",
    ],
    *[
        "cypher-shell 'MATCH (n) DETACH DELETE n'",
        "vault delete secret/x",
        "dbmate drop",
        "sea-orm-cli migrate fresh",
    ],
]
UNKNOWN = ['psql -c "$SQL"', 'psql -c "$(make-sql)"', "mysql -e $SQL", 'mongosh --eval "$CODE"']
HARMLESS = [
    *[
        "psql -c 'select count(*) from orders'",
        "psql shop -c \"select * from a where b = 'DELETE FROM users' limit 5\"",
    ],
    *[
        "psql -c 'explain delete from t'",
        "psql -c 'update t set a=1 where b=2'",
        "psql -c 'delete from t where id in (1)'",
    ],
    *[
        "psql -c 'create table x (a int references y on delete cascade)'",
        "psql -c \"insert into t values ('drop table x')\"",
    ],
    *[
        "psql -c 'create index drop_table on x (a)'",
        "psql -c 'alter table x add column y int'",
        "psql -c 'drop index x'",
    ],
    *[
        "psql -c 'alter table x drop constraint y'",
        "psql -c 'alter table x alter y drop not null'",
        "psql -c 'drop view x'",
    ],
    *[
        "psql -c 'select * from t for update'",
        "psql -c 'insert into t values (1) on conflict (a) do update set b=1'",
    ],
    *[
        "psql -c '-- drop table x'",
        "psql -c '/* drop table x */ select 1'",
        "psql -f schema.sql",
        "psql < dump.sql",
    ],
    *[
        "psql -c \"select 'a'';drop table x'\"",
        "psql -c 'select \"drop table x\"'",
        "psql -l",
        "psql -c '\\dt'",
        'psql "$URL"',
    ],
    *["psql -c 'create function f() returns int as $$ begin delete from t; end $$'"],
    *[
        'psql "$DATABASE_URL" -c "select 1 from $T"',
        "cat schema.sql | psql shop",
        "psql -c 'vacuum analyze'",
    ],
    *[
        "mysql shop -e 'SHOW TABLES'",
        "mysql -e 'select truncate(1.5, 0)'",
        "mysql -e 'drop temporary table x'",
    ],
    *[
        "mysql -e \"select 'it\\'s; drop table x'\"",
        "mysql -e 'select 1 # drop table x'",
        "mysqladmin status",
        "mysqldump x",
    ],
    *[
        "mysql -e 'insert into t values (1) on duplicate key update a=2'",
        "mysql -e 'create trigger x after delete on t for each row delete from u'",
    ],
    *[
        "sqlite3 data/shop.db .schema",
        "sqlite3 a.db 'select * from drops'",
        "sqlite3 :memory: 'drop table x'",
    ],
    *[
        "sqlite3 /tmp/t.db 'drop table x'",
        "duckdb -c 'select 1'",
        "bq query 'select 1'",
        "clickhouse-client -q 'select 1'",
    ],
    *[
        "mongosh --eval 'db.users.find({})'",
        "mongosh --eval 'db.x.deleteMany({a: 1})'",
        "mongosh --eval 'db.x.dropIndex(\"a\")'",
    ],
    *[
        "mongosh --eval 'db.x.countDocuments()'",
        "redis-cli get cart:42",
        "redis-cli del cart:42",
        "redis-cli config get dir",
    ],
    *[
        "redis-cli set a flushall",
        "redis-cli info",
        "redis-cli keys '*'",
        "createdb x",
        "dropdb --help",
    ],
    *[
        "rails db:migrate",
        "rails db:seed",
        "rails destroy model x",
        "rails -T db:drop",
        "bundle exec rspec spec/drop",
        "rails db:create",
    ],
    *[
        "python manage.py migrate",
        "python manage.py test",
        "python manage.py sqlflush",
        "python flush.py",
        "python -m pytest flush",
    ],
    *[
        "python -c 'flush'",
        "npx prisma migrate dev --name add",
        "npx prisma migrate dev --create-only",
        "mix run -e 'IO.puts(1)'",
        "mix ecto.migrations",
        "rails db:migrate:status",
        "rake db:create db:schema:load RAILS_ENV=test",
        "liquibase rollback-sql v1",
        "diesel migration run",
        "hasura migrate apply",
        "npx prisma generate",
        "npx prisma db push",
        "prisma migrate deploy",
    ],
    *[
        "alembic upgrade head",
        "alembic history",
        "alembic downgrade base --sql",
        "alembic downgrade -1 --sql",
        "flask run",
        "npx sequelize db:migrate",
    ],
    *[
        "php artisan migrate",
        "php artisan make:model Fresh",
        "php -S localhost:80",
        "knex migrate:latest",
        "knex migrate:list",
    ],
    *[
        "bin/console cache:clear",
        "bin/console d:m:m",
        "mix ecto.migrate",
        "sqlx migrate run",
        "goose up",
        "migrate up",
    ],
    *[
        "supabase start",
        "supabase db diff",
        "pg_restore -Fc -d x a.dump",
        "pg_restore -l a",
        "pg_dump --clean x",
        "mongorestore x",
    ],
    *[
        "etcdctl del a",
        "etcdctl get --prefix /",
        "consul kv get a",
        "vault kv get a",
        "vault read x",
        "influx query 'x'",
    ],
    *[
        "kafka-topics.sh --list",
        "rabbitmqctl list_queues",
        "nats stream ls",
        "cypher-shell 'MATCH (n) RETURN n'",
        "make db-drop",
    ],
    *[
        "grep -rn 'drop table' db",
        "echo 'DROP TABLE x'",
        "dotnet ef database update",
        "flyway migrate",
        "wp db export",
    ],
]


def told(text: str, place: CallContext = PLACE) -> set[str]:
    """Return the severities of both tables: of statements, and of tools that need none."""
    tables = (databases.RULES, schema_migrations.RULES)
    return {one for table in tables for one in risk_rules.told(table, text, place)}


@parametrize_all("text", DROPPED)
def test_dropping_a_database_is_denied(text: str) -> None:
    assert "database deny" in told(text)


@parametrize_all("text", RISKY)
def test_emptying_or_resetting_is_asked_about(text: str) -> None:
    assert told(text) == {"database ask"}


@parametrize_all("text", UNKNOWN)
def test_unknown_statements_are_asked_about(text: str) -> None:
    assert told(text) == {"unreadable ask"}


@parametrize_all("text", HARMLESS)
def test_commands_that_keep_the_data_pass(text: str) -> None:
    assert told(text) == set()


def test_a_database_file_in_scratch_may_be_lost() -> None:
    assert told("sqlite3 t.db 'drop table x'", replace(PLACE, cwd="/tmp/x")) == set()
    assert told("sqlite3 /tmp/../home/me/a.db 'drop table x'") == {"database ask"}
