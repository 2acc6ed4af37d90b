"""Reference methods: independent ways to the derivatives that the analytic algorithms are judged by."""
