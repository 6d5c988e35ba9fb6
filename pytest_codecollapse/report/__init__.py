"""Records -> text: terminal tables and the JSON file."""
