"""Permission requests that wait for a person outside the client."""
