"""Rules for clouds: stops, openings and removals, against lists and starts."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    ("terraform plan -destroy -out=p && terraform apply p", "ask cloud"),
    ("echo yes | terraform apply", "ask cloud"),
    ("terraform apply <<< yes", "ask cloud"),
    ("tofu plan -destroy -out p", "ask cloud"),
    ("aws organizations leave-organization", "deny cloud"),
    ("aws organizations close-account --account-id 1", "deny cloud"),
    ("aws ec2 stop-instances --instance-ids i-1", "ask cloud"),
    ("aws ecs update-service --service x --desired-count 0", "ask cloud"),
    ("aws iam attach-user-policy --policy-arn x --user-name y", "ask cloud"),
    ("aws s3api put-bucket-acl --acl public-read --bucket b", "ask cloud"),
    ("aws ec2 authorize-security-group-ingress --cidr 0.0.0.0/0", "ask cloud"),
    ("aws route53 change-resource-record-sets --change-batch x", "ask cloud"),
    ("aws kms disable-key --key-id x", "ask cloud"),
    ("aws cognito-idp admin-delete-user --username x", "ask cloud"),
    ("aws rds-data execute-statement --sql 'drop database x'", "deny database"),
    ("aws redshift-data execute-statement --sql 'drop table x'", "deny database"),
    ("aws --profile p athena start-query-execution --query-string 'drop table x'", "deny database"),
    ("gcloud compute instances stop x", "ask cloud"),
    ("gcloud container clusters resize x --num-nodes=0", "ask cloud"),
    ("gcloud firestore bulk-delete --collection-ids=x", "deny cloud"),
    ("gcloud services disable x", "ask cloud"),
    ("gcloud sql backups restore 1 --restore-instance x", "ask database"),
    ("gcloud projects add-iam-policy-binding p --role=roles/owner", "ask cloud"),
    ("az vm deallocate -n x", "ask cloud"),
    ("az role assignment create --role Owner", "ask cloud"),
    ('kubectl patch deploy web -p \'{"spec":{"replicas":0}}\'', "ask cloud"),
    ('kubectl patch pv x -p \'{"metadata":{"finalizers":null}}\'', "ask cloud"),
    ("docker service scale web=0", "ask containers"),
    ("docker service update --replicas 0 web", "ask containers"),
]
PASSED = [
    "terraform plan",
    "terraform plan -var x=y",
    "terraform show tfplan",
    "terraform plan -destroy",
    "terraform apply -help",
    "terraform plan -out=tfplan",
    "terraform show tfplan",
    "aws organizations list-accounts",
    "aws ec2 describe-instances",
    "aws ec2 start-instances --instance-ids i-1",
    "aws ecs update-service --service x --desired-count 2",
    "aws ec2 authorize-security-group-ingress --cidr 10.0.0.0/8",
    "aws athena start-query-execution --query-string 'select 1'",
    "aws iam list-attached-role-policies --role-name x",
    "gcloud compute instances list",
    "gcloud services enable x",
    "az role assignment list",
    'kubectl patch deploy web -p \'{"spec":{"replicas":3}}\'',
    "docker service scale web=3",
    "docker service ls",
]


@parametrize_all("text, expected", HELD)
def test_stopping_or_opening_services_is_denied_or_asked_about(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all("text", PASSED)
def test_lists_and_starts_pass(text: str) -> None:
    assert said(text) == ""
