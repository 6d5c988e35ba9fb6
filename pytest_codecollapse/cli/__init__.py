"""The ``codecollapse`` script: thin commands over the library."""
