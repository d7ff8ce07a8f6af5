"""evpv: verify what a vision-language solution says it sees before trusting how it reasons."""

__version__ = "0.1.0"
