"""Rules for clouds: destruction of resources, against plans, lists and reads."""

from hookd.risk.rules.cloud import RULES
from support.parametrize import parametrize_all
from support.risk_rules import told

GONE = [
    "aws $SERVICE delete-bucket --bucket x",
    *[
        "terraform destroy",
        "terraform destroy -auto-approve",
        "terraform -chdir=x destroy",
        "tofu destroy",
    ],
    *["terraform apply -destroy", "terragrunt run-all destroy", "terragrunt run --all destroy"],
    *[
        "pulumi destroy --yes --stack prod",
        "pulumi -C infra destroy",
        "pulumi stack rm prod",
        "cdk destroy --all",
    ],
    *[
        "aws s3 rb s3://x --force",
        "aws s3 rm s3://x/ --recursive",
        "AWS_PROFILE=p aws s3 rb s3://x",
    ],
    *[
        "aws ec2 terminate-instances --instance-ids i-1",
        "aws --profile prod rds delete-db-instance",
    ],
    *[
        "aws --region eu-west-1 dynamodb delete-table --table-name x",
        "aws sqs purge-queue --queue-url x",
    ],
    *[
        "aws kms schedule-key-deletion --key-id x",
        "aws cloudformation delete-stack --stack-name $S",
    ],
    *[
        "gcloud projects delete x --quiet",
        "gcloud compute instances delete a b",
        "gcloud -q sql instances delete x",
    ],
    *[
        "gcloud beta container clusters delete x",
        "gcloud --project p storage buckets delete gs://x",
    ],
    *[
        "gcloud storage rm --recursive gs://x",
        "gsutil -m rm -r gs://x",
        "gsutil rb gs://x",
        "bq rm -r -f d",
    ],
    *["az group delete --name x --yes", "az vm delete -n x", "az storage blob delete-batch -s x"],
    *[
        "kubectl delete namespace production",
        "kubectl delete ns x",
        "kubectl delete ns/x",
        "k delete pvc x",
    ],
    *[
        "kubectl -n x delete all --all",
        "kubectl delete pods -A",
        "kubectl --context p delete crd x",
    ],
    *["kubectl delete nodes x", "oc delete project x", "kubectl delete pv x --dry-run=none"],
    *[
        "doctl compute droplet delete 1",
        "linode-cli linodes delete 1",
        "hcloud server delete x",
        "hcloud server rebuild x",
    ],
    *[
        "scw instance server terminate x",
        "oci compute instance terminate --id x",
        "openstack server delete x",
    ],
    *[
        "heroku apps:destroy -a x",
        "heroku pg:reset DATABASE",
        "heroku addons:destroy x",
        "cf delete x -f",
    ],
    *[
        "fly apps destroy x",
        "flyctl destroy x",
        "fly volumes delete v",
        "fly machine destroy 1",
        "vercel rm x",
    ],
    *[
        "vercel project rm x",
        "netlify sites:delete x",
        "wrangler delete",
        "npx wrangler r2 bucket delete x",
    ],
    *[
        "wrangler d1 delete x",
        "firebase firestore:delete --all-collections",
        "supabase projects delete x",
    ],
    *[
        "eksctl delete cluster x",
        "kops delete cluster x --yes",
        "helmfile destroy",
        "flux uninstall",
    ],
    *[
        "argocd app delete x",
        "sam delete",
        "serverless remove",
        "npx sls remove",
        "eb terminate x",
        "qm destroy 100",
    ],
    *[
        "rclone purge r:x",
        "rclone delete r:x",
        "s3cmd rb s3://x",
        "s3cmd del --recursive s3://x",
        "mc rb --force x",
    ],
    *["turso db destroy x", "neonctl projects delete x", "railway down", "sudo terraform destroy"],
]
RISKY = [
    *["terraform apply -auto-approve", "terraform apply --auto-approve x", "terraform state rm x"],
    *[
        "terraform workspace delete x",
        "terraform force-unlock 1",
        "pulumi up",
        "pulumi up --yes",
        "terraform apply",
        "terraform apply x.plan",
        "terraform taint aws_instance.web",
        "terragrunt apply",
        "terragrunt run-all apply --terragrunt-non-interactive",
        "terragrunt apply-all",
        "kubectl --context prod apply -k k8s",
        "kubectl apply -k k8s/overlays/production",
        "kubectl set image deploy/web web=x -n production",
        "kubectl -n prod-eu scale deploy web --replicas=1",
        "kubectl rollout undo deploy/web --context=live",
        "helm upgrade --install api charts/api -n prod",
        "helm upgrade api . -f values-prod.yaml",
        "helm rollback api 1 --kube-context production",
        "ansible-playbook site.yml",
        "ansible-playbook -i prod site.yml --limit web",
        "pulumi up -y",
        "pulumi state delete x",
    ],
    *[
        "aws s3 rm s3://x/a",
        "aws s3 sync . s3://x --delete",
        "aws s3api delete-object --bucket x --key y",
    ],
    *[
        "aws ecs deregister-task-definition --task-definition x",
        "aws lambda remove-permission --id x",
    ],
    *["gcloud storage rm gs://x/a", "gcloud config configurations delete x", "gsutil rm gs://x/a"],
    *["gsutil rsync -d . gs://x", "bq rm d.t", "az webapp config hostname remove"],
    *[
        "kubectl delete pod x",
        "kubectl delete -f k8s/",
        "kubectl --context prod delete -f k8s/",
        "kubectl drain n",
    ],
    *["kubectl get pods -o name | xargs kubectl delete", "kubectl scale deploy x --replicas=0"],
    *[
        "kubectl scale --replicas 0 deploy/x",
        "kubectl replace --force -f x",
        "kubectl apply --prune -f x",
    ],
    *[
        "kubectl delete $X",
        "helm uninstall x -n y",
        "helm delete x",
        "helm un x",
        "flux delete source git x",
    ],
    *[
        "heroku ps:scale web=0",
        "heroku config:unset X",
        "fly scale count 0",
        "fly secrets unset X",
        "vercel env rm X",
    ],
    *[
        "wrangler secret delete X",
        "supabase functions delete x",
        "kind delete cluster",
        "minikube delete",
    ],
    *[
        "vagrant destroy -f",
        "multipass delete --purge x",
        "virsh undefine x",
        "virsh destroy x",
        "incus delete x",
    ],
    *[
        "rclone sync a r:b",
        "restic forget --prune --keep-last 1",
        "borg delete x",
        "nomad job stop -purge x",
    ],
]
HARMLESS = [
    *[
        "terraform plan -destroy",
        "terraform plan -out=x",
        "terraform init",
    ],
    *[
        "terraform destroy --help",
        "terraform state list",
        "terraform fmt",
        "terraform validate",
        "terragrunt plan",
    ],
    *[
        "pulumi preview --diff",
        "pulumi preview",
        "terraform untaint x",
        "terragrunt run-all plan --terragrunt-non-interactive",
        "kubectl --context prod get pods",
        "kubectl -n production logs web",
        "kubectl --context prod diff -k k8s",
        "kubectl apply -n production --dry-run=server -f x",
        "kubectl apply -f products.yaml",
        "kubectl -n prod rollout status deploy/web",
        "helm upgrade --install api . -n staging",
        "helm upgrade api . -n prod --dry-run",
        "helm list -n production",
        "ansible-playbook --check site.yml",
        "ansible-playbook site.yml -C --diff",
        "ansible-playbook --syntax-check site.yml",
        "ansible-playbook --list-tasks site.yml",
        "ansible-playbook --version",
        "pulumi destroy --preview-only",
        "pulumi stack ls",
        "cdk diff",
    ],
    *[
        "aws s3 ls s3://x",
        "aws s3 cp a s3://x/b",
        "aws s3 sync . s3://x",
        "aws s3 rm s3://x --recursive --dryrun",
    ],
    *[
        "aws ec2 describe-instances",
        "aws ec2 terminate-instances --dry-run --instance-ids i",
        "aws sts get-caller-identity",
    ],
    *[
        "aws logs tail delete-me",
        "aws iam list-roles --query 'delete-x'",
        "aws lambda invoke --function-name delete-user o",
    ],
    *[
        "gcloud compute instances list",
        "gcloud config set project x",
        "gcloud auth login",
        "gcloud info",
    ],
    *[
        "gsutil ls gs://x",
        "gsutil cp a gs://x",
        "gsutil rsync -r a gs://x",
        "bq ls",
        "az vm list",
        "az login",
    ],
    *[
        "kubectl get pods -n dev",
        "kubectl logs x",
        "kubectl delete pod x --dry-run=client",
        "kubectl describe ns x",
    ],
    *[
        "kubectl apply -f x",
        "kubectl scale deploy x --replicas=3",
        "kubectl rollout restart deploy/x",
        "kubectl get all -A",
    ],
    *[
        "kubectl create ns delete",
        "kubectl cordon x",
        "helm list -A",
        "helm upgrade --install x .",
        "helm uninstall x --dry-run",
    ],
    *[
        "helm template x",
        "doctl compute droplet list",
        "hcloud server list",
        "linode-cli linodes list",
        "oci iam user list",
    ],
    *[
        "heroku logs --tail",
        "heroku apps:info",
        "heroku ps:scale web=2",
        "fly status",
        "fly scale count 2",
        "fly logs",
    ],
    *[
        "vercel ls",
        "wrangler dev",
        "wrangler tail",
        "wrangler secret list",
        "firebase emulators:start",
        "supabase status",
    ],
    *[
        "kind create cluster",
        "minikube start",
        "minikube stop",
        "vagrant up",
        "vagrant halt",
        "multipass list",
    ],
    *[
        "multipass delete x",
        "virsh list --all",
        "rclone ls r:x",
        "rclone sync --dry-run a r:b",
        "restic snapshots",
    ],
    *[
        "eksctl get cluster",
        "argocd app list",
        "flux get all",
        "sam build",
        "serverless info",
        "railway status",
    ],
    *[
        "echo terraform destroy",
        "grep -rn 'kubectl delete' .",
        "mc ls x",
        "nomad job status",
        "az group list",
    ],
    *[
        "aws --endpoint-url http://localhost:4566 s3 rb s3://x",
        "aws --endpoint-url=http://127.0.0.1:9000 s3 rb s3://x",
    ],
]


@parametrize_all("text", GONE)
def test_deletion_of_data_or_a_system_is_denied(text: str) -> None:
    assert told(RULES, text) == {"cloud deny"}


@parametrize_all("text", RISKY)
def test_loss_of_recreatable_resources_is_asked_about(text: str) -> None:
    assert told(RULES, text) == {"cloud ask"}


@parametrize_all("text", HARMLESS)
def test_commands_that_destroy_nothing_pass(text: str) -> None:
    assert told(RULES, text) == set()
