"""Faults: a proxy that spoils the network, a server that is killed, and runs that mix them all."""
