"""The version of this code: what certificates carry, also where the installed metadata is another's or absent."""

VERSION = "0.2.0.dev0"
