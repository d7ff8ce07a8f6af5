"""`python -m evpv`: the same as `evpv`, for launchers that start modules."""

from evpv.cli import main

if __name__ == "__main__":
    main()
