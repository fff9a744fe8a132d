"""Socket server, JSON-RPC, OpenRPC, dispatcher, peer credentials. No decision is made here."""
