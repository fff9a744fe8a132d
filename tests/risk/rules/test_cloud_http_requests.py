"""HTTP requests that delete data on a server, against those to this machine."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    ("curl -X DELETE https://api.example.com/v1/users/1", "ask cloud"),
    ("curl -XDELETE https://api.example.com/v1/users/1", "ask cloud"),
    ("curl -sS --request DELETE -H 'Accept: x/y' https://api.example.com/a/1", "ask cloud"),
    ("wget --method=DELETE https://api.example.com/a/1", "ask cloud"),
    ("http DELETE https://api.example.com/a/1", "ask cloud"),
    ("xh delete api.example.com/a/1", "ask cloud"),
    ("curl -X DELETE http://es.prod:9200/logs-2024", "ask cloud"),
    ("curl -XDELETE localhost:9200/_all", "ask cloud"),
    ("curl -X DELETE 'http://localhost:9200/logs-*'", "ask cloud"),
    ("curl -X DELETE http://localhost:9200/users", "ask cloud"),
    ("curl -X DELETE http://localhost:9200/users/_doc/7", "ask cloud"),
    ("curl -X DELETE http://127.0.0.1:5984/shop", "ask cloud"),
    ("curl -X DELETE http://localhost:3000/api/users", "ask cloud"),
    ("curl -X DELETE 'http://localhost:3000/api/users?all=1'", "ask cloud"),
    ('curl -X DELETE "$BASE_URL/api/items"', "ask cloud"),
    ('curl -X DELETE "https://$HOST/api/items"', "ask cloud"),
    ("http DELETE :3000/api/users", "ask cloud"),
    ("curl -X POST http://localhost:9200/users/_delete_by_query -d '{}'", "ask cloud"),
    ("curl -X DELETE https://api.github.com/repos/o/r", "deny cloud"),
    ("curl -X DELETE https://gitlab.com/api/v4/projects/1", "deny cloud"),
    ("curl https://api.example.com/a/1 -X DELETE", "ask cloud"),
]
PASSED = [
    "curl -X DELETE http://localhost:3000/api/users/1",
    "curl -X DELETE http://127.0.0.1:8080/items/3",
    "curl -X DELETE http://localhost:3000/api/users/550e8400-e29b-41d4-a716-446655440000",
    "curl -X DELETE http://localhost:3000/api/users/65f1c0ffee65f1c0ffee65f1",
    "curl -X DELETE http://localhost:3000/api/users/$ID",
    "curl -X DELETE http://localhost:3000/api/users/${USER_ID}",
    "curl -X DELETE http://[::1]:8080/items/3",
    "curl -X DELETE http://localhost:9200/test-index",
    'curl -X DELETE "$BASE_URL/api/items/3"',
    'curl -X DELETE "http://$HOST/api/items/3"',
    "http DELETE :3000/api/users/1",
    "curl -s -o /dev/null -w '%{http_code}' -X DELETE localhost:3000/api/todos/$ID",
    "curl -sS -D /tmp/headers -X DELETE localhost:3000/api/todos/4",
    "http DELETE localhost:3000/api/users/1",
    "curl https://api.example.com/v1/users/1",
    'curl -X POST https://api.example.com/v1/users -d \'{"method": "DELETE"}\'',
    "curl -X OPTIONS -H 'Access-Control-Request-Method: DELETE' https://api.example.com/a",
    "http https://api.example.com/a",
]


@parametrize_all("text, expected", HELD)
def test_loss_of_data_on_a_server_is_denied_or_asked_about(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all("text", PASSED)
def test_requests_of_development_pass(text: str) -> None:
    assert said(text) == ""
