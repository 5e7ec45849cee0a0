"""Run the rules core in MicroPython, as the handheld does, from CPython."""
