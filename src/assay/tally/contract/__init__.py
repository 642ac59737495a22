"""The contract of every family: units with multiplicities, evidence, sampling, and a stored form."""
