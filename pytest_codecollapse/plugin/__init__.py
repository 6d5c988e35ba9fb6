"""The pytest plugin: glue, and the only package that imports pytest."""
