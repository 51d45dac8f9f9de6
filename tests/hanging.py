"""A parser that hangs: for servers that a test starts, by ``PYTHONPATH``."""

from pathlib import Path

HOOK = '''
import importlib.abc, importlib.util, sys

class Late(importlib.abc.MetaPathFinder):
    """In the process that reads files, a cell of nines is matched by a pattern that takes for ever."""

    def find_spec(self, name, path, target=None):
        if name != "calibcore.io.child":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def loaded(module):
            import re

            load(module)
            read = module.read

            def hangs(source, **named):
                if b"9" * 12_000 + b"x" in source:
                    re.fullmatch(b"(9*)*y", b"9" * 60 + b"x")
                return read(source, **named)

            module.read = hangs

        spec.loader.exec_module = loaded
        return spec

sys.meta_path.insert(0, Late())
'''
FILE = b"a,b,label\n0.2,0.8,a\n" + b"9" * 12_000 + b"x,0.8,a\n"
"""12 kB on which it hangs."""


def hooks(folder: Path) -> str:
    """A folder for ``PYTHONPATH``, with the hook."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(HOOK)
    return str(folder)
