"""ORM code: deletion of every row of a table, against selected rows."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    "rails runner 'User.delete_all'",
    "bin/rails runner 'User.destroy_all'",
    "bundle exec rails runner 'Shop::Order.all.destroy_all'",
    "echo 'User.destroy_all' | rails console",
    "python manage.py shell -c 'User.objects.all().delete()'",
    "echo 'User.objects.all().delete()' | python manage.py shell",
    "./manage.py shell <<'EOF'\nfrom shop.models import Order\nOrder.objects.all().delete()\nEOF",
    "php artisan tinker --execute='User::truncate();'",
    "php artisan tinker --execute='DB::table(\"users\")->delete();'",
    "sail artisan migrate:fresh",
    "vendor/bin/sail artisan db:wipe",
]
PASSED = [
    "bin/rails runner 'puts User.count'",
    "bin/rails runner 'User.where(test: true).delete_all'",
    "bin/rails runner 'User.find(1).orders.delete_all'",
    "rails console",
    "python manage.py shell -c 'print(User.objects.count())'",
    "python manage.py shell -c 'User.objects.filter(pk=1).delete()'",
    "php artisan tinker --execute='echo User::count();'",
    "php artisan tinker --execute='User::find(1)->delete();'",
    "sail artisan migrate",
    "grep -rn 'User.delete_all' app",
    "git commit -m 'User.delete_all is gone'",
]


@parametrize_all("text", HELD)
def test_emptying_a_table_is_asked_about(text: str) -> None:
    assert said(text) == "ask database"


@parametrize_all("text", PASSED)
def test_counting_or_selecting_passes(text: str) -> None:
    assert said(text) == ""
