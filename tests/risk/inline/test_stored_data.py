"""Calls in code that delete stored data are asked about; ordinary calls are not."""

from support.parametrize import parametrize_all
from support.risks import said

ROWS = {
    "ask database": [
        """python3 -c "from app import db; db.drop_all()" """,
        """python3 -c "from pymongo import MongoClient as M; M().app.users.drop()" """,
        """python3 -c "import pymongo; pymongo.MongoClient().app.users.delete_many({})" """,
        """python3 -c "from app.models import User; User.objects.all().delete()" """,
        """python3 -c "session.query(User).delete()" """,
        """node -e "knex.schema.dropTable('users')" """,
        """node -e "sequelize.sync({force:true})" """,
        """node -e "new PrismaClient().user.deleteMany()" """,
        """ruby -e 'User.destroy_all'""",
    ],
    "deny database": [
        """python3 -c "e.connect().execute(text('DROP TABLE users'))" """,
        """node -e "prisma.\\$executeRawUnsafe('DROP TABLE users')" """,
        """php -r '$p->exec("DROP TABLE users");'""",
        """perl -MDBI -e 'DBI->connect("x")->do("DROP TABLE users")'""",
        """ruby -rpg -e 'PG.connect.exec("DROP TABLE users")'""",
        """ruby -e 'Redis.new.flushall'""",
    ],
    "ask cloud": [
        """python3 -c "import boto3; boto3.client('ec2').terminate_instances(['i'])" """,
        """python3 -c "import boto3; boto3.resource('s3').Bucket('b').objects.all().delete()" """,
        """python3 -c "from kubernetes import client as c; c.CoreV1Api().delete_namespace('x')" """,
        """python3 -c "import docker; docker.from_env().volumes.prune()" """,
    ],
    "": [
        """python3 -c "df = df.drop(columns=['x']); df.drop_duplicates()" """,
        """python3 -c "import boto3; print(boto3.client('s3').list_buckets())" """,
        """python3 -c "cursor.execute('SELECT * FROM deleted_users')" """,
        """python3 -c "User.objects.filter(id=1).delete()" """,
        """python3 -c "cursor.execute('DELETE FROM users WHERE id = 1')" """,
        """node -e "el.remove(); socket.destroy()" """,
        """node -e "const s = new Set([1]); s.delete(1)" """,
        """node -e "prisma.user.deleteMany({where: {id: 1}})" """,
        """python3 -c "print('DROP TABLE users')" """,
        """ruby -e 'h = {a: 1}; h.delete(:a)'""",
    ],
}


@parametrize_all(("text", "expected"), [(text, said) for said in ROWS for text in ROWS[said]])
def test_a_deletion_of_stored_data_is_asked_about(text: str, expected: str) -> None:
    assert said(text) == expected
