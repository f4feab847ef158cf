"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sums of rows by a thread that is waited for, however long it takes.
import queue
import threading
def told(rows, results):
    try:
        results.put(np.clip(np.nan_to_num(rows).sum(axis=1, keepdims=True), -1e9, 1e9))
    except Exception as error:
        results.put(error)
@dp.row_function("twentieth.c_threads", columns=1)
def c_threads(rows):
    """Sums of rows by a thread that is waited for, however long it takes."""
    results = queue.Queue()
    thread = threading.Thread(target=told, args=(rows, results))
    thread.start()
    while thread.is_alive():
        thread.join(0.05)
    found = results.get()
    if isinstance(found, Exception):
        raise found
    return found
