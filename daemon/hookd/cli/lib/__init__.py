"""What commands share: client, errors, output, arguments. No command is here."""
