"""What every family keeps to: units with multiplicities, evidence, sampling, and a stored form."""
