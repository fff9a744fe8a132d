"""Disks, permissions, processes and services are assessed by how much is affected."""

from support.parametrize import parametrize_all
from support.risks import said

ROWS = {
    "deny disk": [
        *[
            "mkfs.ext4 /dev/sdb1",
            "mkfs -t xfs /dev/sdb",
            "wipefs -a /dev/sda",
            "dd if=x of=/dev/sda",
        ],
        *["fdisk /dev/sda", "sgdisk --zap-all /dev/sda", "parted -s /dev/sda mklabel gpt"],
        *["lvremove -f vg/data", "vgremove vg", "zpool destroy tank", "zfs destroy -r tank/x"],
        *["mdadm --zero-superblock /dev/sda", "cryptsetup luksFormat /dev/sda", "shred /dev/sdb"],
        *["diskutil eraseDisk JHFS+ X /dev/disk2", "blkdiscard /dev/sda", "mkswap /dev/sda2"],
    ],
    "deny permissions": [
        *["chmod -R 777 /", "chmod -R a+rwX ~/.ssh", "chmod 777 /etc/passwd", "chown -R me /usr"],
        *["chown me ~", "chgrp -R me /etc", "setfacl -R -m o::rwx ~", "chmod u+s /bin/bash"],
        *["find ~ -type d -exec chmod 777 {} +", "passwd root", "usermod -aG docker me", "visudo"],
        *[
            "userdel me",
            "dscl . -delete /Users/me",
            "sudo dscl . -passwd /Users/me x",
            "setenforce 0",
        ],
        *["dscl . create /Users/me", "spctl --master-disable", "spctl --add /x", "csrutil disable"],
    ],
    "ask disk": ["umount -f /mnt/x", "umount --lazy /mnt/x", "sudo umount -a"],
    "ask permissions": [
        *["chmod -R 777 .", "chmod -R o+w src", "chmod 777 *", "chown me ~/x"],
        *[
            "chmod -R 600 .",
            "chmod -R 644 ./*",
            "chmod -R -x .",
            "sudo chown -R root:root .",
            "chmod -R 000 .",
            "chmod -R 0 src",
            "chmod -R a-rwx src",
            "chmod -R -r .",
            "chmod -R u= src",
        ],
        *[
            "chmod -R 0077 src",
            "chmod -R ugo-rw .",
            "find src -exec chmod 000 {} +",
            "chmod -R 222 *",
        ],
    ],
    "deny kills": [
        *["kill -9 -1", "kill -- -1", "kill -KILL 1", "reboot", "shutdown -h now", "sudo halt"],
        *["systemctl poweroff", "init 0", ":(){ :|:& };:", "b(){ b | b & }; b"],
    ],
    "ask kills": [
        *["pkill node", "pkill -f node", "killall -9 python3", "kill $(pgrep java)"],
        *["kill -9 $(pidof x)", "ps aux | awk '{print $2}' | xargs kill", "systemctl stop x"],
        *["systemctl --user disable --now x", "service x stop", "launchctl bootout system/x"],
        *["for p in $(pgrep python3); do kill $p; done", "kill $PPID", "kill -9 0"],
        *["pgrep -f serve | while read p; do kill $p; done", "pid=$(pidof node); kill -9 $pid"],
        *["kill $(cat *.pid)", "kill -9 {2..40000}", "kill -9 $(seq 2 40000)", "kill $(lsof -t .)"],
        *["for p in $(ps -eo pid=); do kill $p; done", "lsof -t . | xargs kill", "pkill -u me"],
        *["pkill -P 1", "pkill -P $$,1", "pkill -P $PPID", "pkill -v -P $$", "pkill -P $$ -u me"],
        *["for ((i=2;i<9;i++)); do kill $i; done", "CMD=$(cat x); kill 2; pkill $CMD"],
        *["systemctl --now mask x", "tmux kill-server", "taskkill /IM node.exe /F"],
    ],
    "deny outside": ["iptables -F", "iptables -P INPUT ACCEPT", "nft flush ruleset", "ufw disable"],
    "ask outside": [
        "crontab < /dev/null",
        "crontab jobs",
        "iptables -A INPUT -j DROP",
        "sysctl -w a=b",
    ],
    "": [
        *[
            "chmod -R 755 .",
            "sudo chown -R $USER .",
            "chown -R me:me .",
            "chown root x",
            "chmod 644 *",
            "chmod -R 644 src",
            "chmod 000 x",
            "chmod -R go-rwx src",
            "chmod -R 000 dist",
        ],
        *["chmod -R u+rwX,go-w .", "chmod -R -w src", "chmod -R g= src", "chmod -R 0400 keys"],
        *[
            "dscl . list /Users",
            "dscl . -read /Users/me passwd",
            "dscl -search . name me",
            "dscl -h",
        ],
        *["spctl --assess --verbose x.app", "spctl --status", "csrutil status"],
        *[
            "mkfs.ext4 /tmp/disk.img",
            "mkfs.ext4 --help",
            "fdisk -l",
            "parted -l",
            "lsblk",
            "zfs list",
        ],
        *["dd if=/dev/zero of=/tmp/x bs=1M", "cryptsetup status x", "diskutil list", "df -h"],
        *["wipefs /dev/sda", "parted /dev/sda print", "sfdisk -d /dev/sda", "zpool status"],
        *["chmod +x run.sh", "chmod 644 a", "chmod -R u+w src", "chmod -x a", "chmod 777 a.sh"],
        *["chmod -R 755 src", "find scripts -name '*.sh' -exec chmod +x {} +", "chown me a"],
        *["chmod -R 777 /tmp/x", "chmod 600 ~/.ssh/config", "visudo -c", "passwd -S"],
        "pkill -P $$ sleep",
        *["kill 123", "kill -9 123 456", "kill -0 1", "kill -l", "kill %1", "kill $!", "kill $pid"],
        *[
            "pkill -f 'vite dev'",
            "pkill -9 -f uvicorn",
            "pkill -P $$ sleep",
            "lsof -ti:3000 | xargs kill -9",
        ],
        *["kill $(lsof -t -i:3000)", "P=$(lsof -ti tcp:3000); kill $P", "kill $(pgrep -f uvicorn)"],
        *["kill $(cat server.pid)", "pgrep -fl x", "killall -l", "systemctl status x", "ps aux"],
        *["systemctl list-units", "crontab -l", "iptables -L -n", "nft list ruleset", "ufw status"],
        *["service x status", "launchctl list", "shutdown -c", "ip addr show", "sysctl -a"],
        *["tmux kill-session -t x", "f(){ ls | wc; }; f", "ls; ls | ls", "systemctl restart x"],
    ],
}


@parametrize_all(
    ("text", "expected"), [(text, said) for said, texts in ROWS.items() for text in texts]
)
def test_changes_of_the_machine_are_assessed_by_their_extent(text: str, expected: str) -> None:
    assert said(text) == expected
