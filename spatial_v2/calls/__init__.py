"""What happens between a call and its kernel."""
