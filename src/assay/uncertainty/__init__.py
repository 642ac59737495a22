"""How sure: intervals and tests that know counts and never a family."""
