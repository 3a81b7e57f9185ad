"""What each tool answers; one module a tool."""
