"""What runs in the candidates' interpreter: standard library only, Python 3.8 and newer."""
