"""The reference part of the site, written from the code: public names, measures, commands and options."""
