"""The language server. Nothing else imports it: the command `lsp` finds it where it is, and is missing where it is not."""
