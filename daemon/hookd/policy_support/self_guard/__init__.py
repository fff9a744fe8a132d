"""What a call would change of hookd itself, for the policy self-guard."""
