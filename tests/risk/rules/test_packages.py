"""Rules for the machine's setup, against installations, lists and project packages."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    "apt remove -y python3",
    "sudo apt-get purge -y nginx",
    "apt-get autoremove -y",
    "sudo dnf remove -y glibc",
    "yum erase x",
    "zypper rm x",
    "apk del openssl",
    "pacman -Rns x",
    "sudo pacman -Rdd glibc",
    "dpkg --purge libc6",
    "dpkg -r x",
    "rpm -e x",
    "brew uninstall --ignore-dependencies openssl",
    "brew uninstall postgresql",
    "brew autoremove",
    "snap remove --purge x",
    "flatpak uninstall --all",
    "rustup self uninstall -y",
    "conda env remove -n base",
    "conda remove --all -n x",
    "nix-collect-garbage -d",
    "nix profile wipe-history",
    "gpg --batch --yes --delete-secret-keys x",
    "gpg --delete-secret-and-public-key x",
    "security delete-keychain login.keychain",
    "security delete-generic-password -s x",
    "secret-tool clear service x",
    "tmutil delete /x",
    "tmutil deletelocalsnapshots /",
    "timeshift --delete-all",
    "snapper delete 1-10",
    "defaults delete com.apple.dock",
    "nmcli networking off",
    "ifdown eth0",
    "ifconfig eth0 down",
    "route del default",
    "sudo netplan apply",
    "grub-install /dev/sda",
    "efibootmgr -b 0 -B",
]
PASSED = [
    "sudo apt-get install -y jq",
    "apt-get update && apt-get upgrade -y",
    "apt list --installed",
    "apt-get remove -s python3",
    "apt-get --dry-run autoremove",
    "apt-get clean",
    "dnf search remove",
    "dnf install -y gcc",
    "apk add --no-cache curl",
    "pacman -S jq",
    "pacman -Qs remove",
    "dpkg -l",
    "dpkg -L bash",
    "rpm -qa",
    "brew install jq",
    "brew upgrade",
    "brew cleanup",
    "brew list",
    "snap list",
    "rustup update",
    "conda remove numpy",
    "conda env list",
    "nix build",
    "nix-collect-garbage",
    "gpg --verify x.sig x",
    "gpg --list-secret-keys",
    "security find-certificate -a",
    "tmutil listbackups",
    "defaults read com.apple.dock",
    "nmcli con show",
    "ifconfig",
    "route -n",
    "efibootmgr -v",
    "pip uninstall -y requests",
    "npm uninstall lodash",
]


@parametrize_all("text", HELD)
def test_changes_of_the_machine_setup_are_asked_about(text: str) -> None:
    assert said(text).startswith("ask ")


@parametrize_all("text", PASSED)
def test_installation_and_lists_pass(text: str) -> None:
    assert said(text) == ""
