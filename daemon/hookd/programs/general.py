"""Rules of no single program: about the shell, inline code, files, SQL and secrets."""

from hookd.programs.model import Check

CHECKS = (
    Check("files.write-device", "disk", "overwrites a device"),
    Check("files.write-system", "outside", "writes a file of the system"),
    Check("files.write-outside", "outside", "writes a file outside of the project"),
    Check("files.write-repository", "history", "writes a file of a repository's own"),
    Check("files.no-path", "outside", "names no file"),
    Check(
        "files.delete-through-link", "deletes", "deletes below a link that is created just before"
    ),
    Check("files.lose-data", "deletes", "deletes or overwrites data of which git has no copy"),
    Check("files.empty", "deletes", "empties a file of which git has no copy"),
    Check("files.empty-scratch", "deletes", "deletes the temporary files of all programs"),
    Check("files.read-emptied", "deletes", "empties a file before it reads it"),
    Check("files.delete-moved", "deletes", "deletes what the same text has moved there"),
    Check("mcp.delete", "cloud", "is a tool that deletes or resets something, by its name"),
    Check("mcp.merge", "history", "is a tool that merges something, by its name"),
    Check("services.delete", "cloud", "deletes a resource at a service, by its verb"),
    Check("shell.unreadable", "unreadable", "cannot be parsed or analyzed"),
    Check("shell.too-long", "unreadable", "contains too many commands, or nested programs"),
    Check("shell.unknown-program", "unreadable", "runs a program that is not known from the text"),
    Check("shell.fork-bomb", "kills", "starts itself until there are no more processes"),
    Check("shell.network-code", "network-shell", "runs what it fetches from the network"),
    Check("shell.network-socket", "network-shell", "opens a network connection by the shell"),
    Check("shell.network-shell", "network-shell", "gives a shell to the network"),
    Check("shell.encoded-code", "unreadable", "runs an encoded text"),
    Check("code.unreadable", "unreadable", "runs code whose effects are unknown"),
    Check("sql.destroy", "database", "drops, empties or changes whole tables or databases"),
    Check("sql.unknown", "unreadable", "runs statements that are not known from the text"),
    Check("orm.delete-all", "database", "deletes every row of a table"),
    Check("orm.revert", "database", "reverts migrations, with their tables and columns"),
    Check("orm.reset", "database", "drops or empties the database of the project"),
    Check("packages.uninstall-listed", "outside", "uninstalls packages that another program lists"),
    Check("packages.publish", "publishes", "publishes a version permanently"),
    Check("secrets.read", "secrets", "reads a secret"),
    Check("secrets.copy", "secrets", "copies a secret, or adds it to a commit"),
    Check("secrets.send", "secrets", "sends a secret to another host"),
    Check("secrets.print", "secrets", "prints variables or stored secrets with their values"),
    Check("env.print", "secrets", "prints the whole environment, or all variables"),
    Check("compose.config", "secrets", "prints the configuration of compose with its values"),
    Check("secrets.variable", "secrets", "prints or sends the value of a secret variable"),
    Check("secrets.argument", "secrets", "gives a secret to a program that may print it"),
)
"""Rules that code applies to any program."""
