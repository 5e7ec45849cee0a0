"""Site nodes: what a server takes from them and tells them, and what a node itself does."""
