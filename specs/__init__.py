"""One TOML file a published algorithm, installed as data: ``importlib.resources.files("dpframe_specs")``."""
