"""Network: curl, wget, ssh, nc, mail, dig, firewalls, ..."""

from hookd.programs.model import SIMULATION_FLAGS, Check, Program, Rule, Table

_NETWORK = "may disconnect the machine from the network"

_IFCONFIG_OUTSIDE = Table(
    "outside",
    (Rule("ifconfig.down", "* down", "ask", _NETWORK),),
    harmless=SIMULATION_FLAGS,
)
_IFDOWN_OUTSIDE = Table(
    "outside",
    (Rule("ifdown.down", "*", "ask", _NETWORK),),
    harmless=SIMULATION_FLAGS,
)
_ROUTE_OUTSIDE = Table(
    "outside",
    (Rule("route.del", "del|delete|flush", "ask", _NETWORK),),
    harmless=SIMULATION_FLAGS,
)
_NMCLI_OUTSIDE = Table(
    "outside",
    (Rule("nmcli.networking-off", "networking|radio|n|r ** off", "ask", _NETWORK),),
    harmless=SIMULATION_FLAGS,
)
_NETPLAN_OUTSIDE = Table(
    "outside",
    (Rule("netplan.apply", "apply", "ask", _NETWORK, "`netplan try` reverts automatically."),),
    harmless=SIMULATION_FLAGS,
)
_CURL_CHECKS = (Check("curl.delete", "cloud", "deletes data on a server"),)

PROGRAMS = (
    Program(
        "curl",
        "takes-text fetches sends requests",
        checks=_CURL_CHECKS,
        opens=(
            "--unix-socket --abstract-unix-socket --output-dir -c --cookie-jar --trace"
            " --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl"
        ),
    ),
    Program(
        "wget",
        "takes-text fetches sends requests",
        checks=_CURL_CHECKS,
        opens="--save-cookies -a --append-output --warc-file --hsts-file",
    ),
    Program("wget2", "fetches", checks=_CURL_CHECKS),
    Program("http https xh", "takes-text fetches sends requests method-first", checks=_CURL_CHECKS),
    Program("xhs", "method-first", checks=_CURL_CHECKS),
    Program("httpie", "fetches sends requests"),
    Program("httpx curlie aria2c axel fetch GET links", "fetches"),
    Program("lynx w3m", "shows fetches"),
    Program("elinks", "shows"),
    Program("nc ncat netcat telnet", "fetches sends"),
    Program("socat", "fetches sends"),
    Program("websocat", "sends"),
    Program("ssh", "prints-nothing writes-nothing may-start remote sends"),
    Program("autossh", "prints-nothing remote"),
    Program("mosh", "prints-nothing wraps"),
    Program(
        "ssh-keygen",
        "prints-nothing",
        checks=(Check("ssh-keygen.overwrite", "outside", "overwrites a key of the user"),),
    ),
    Program("ssh-copy-id ssh-agent ssh-keyscan nginx apachectl httpd caddy", "prints-nothing"),
    Program("ssh-add", "prints-nothing keeps-input"),
    Program("sshfs", "prints-nothing mounts"),
    Program("sshpass", "wraps"),
    Program("ftp lftp", "may-run fetches sends"),
    Program("tftp", "may-run sends"),
    Program("croc", "sends", uploads=("send",)),
    Program("wormhole", uploads=("send",)),
    Program("ipfs", uploads=("add",)),
    Program("mail mailx mutt sendmail swaks", "takes-text sends"),
    Program("ping dig host nslookup", "plain looks-up"),
    Program("ifconfig", tables=(_IFCONFIG_OUTSIDE,)),
    Program("ifdown", tables=(_IFDOWN_OUTSIDE,)),
    Program("route", tables=(_ROUTE_OUTSIDE,)),
    Program("nmcli", tables=(_NMCLI_OUTSIDE,)),
    Program("netplan", tables=(_NETPLAN_OUTSIDE,)),
    Program("ip", checks=(Check("ip.close", "outside", "closes connections"),)),
    Program("ss netstat"),
    Program(
        "iptables ip6tables ebtables arptables iptables-restore nft ufw pfctl firewall-cmd",
        checks=(Check("iptables.change", "outside", "changes the firewall"),),
    ),
    Program("ping6 traceroute whois drill kdig", "looks-up"),
)
